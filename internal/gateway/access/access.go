// Package access implements access control for the gateway: callers are identified by the hash of their token, each
// with the servers and tools that it may list and call, and a rate limit.
package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/http"
	"path"
	"strings"
	"sync/atomic"

	"golang.org/x/time/rate"
)

// A Config lists the callers. Without any, and without roles, one token generated for the run grants full access.
type Config struct {
	// the callers; without any, one token generated for the run grants full access
	Callers []CallerConfig `json:"callers"`
	JWT     *JWTConfig     `json:"jwt"` // the issuer whose tokens are accepted in addition to those of callers
}

// Lists reports whether the config has callers or roles: then nobody else has access.
func (c Config) Lists() bool { return len(c.Callers) > 0 || c.JWT != nil && len(c.JWT.Roles) > 0 }

// A CallerConfig describes one caller.
type CallerConfig struct {
	Name        string `json:"name"`         // for logs and the audit
	TokenSHA256 string `json:"token_sha256"` // the SHA-256 of its token, as hex; the token itself is not stored
	Subject     string `json:"subject"`      // the subject of its JWT, instead of a token
	// what it may use: server or server/tool, with * as a wildcard; empty means everything
	Allow  []string `json:"allow"`
	Deny   []string `json:"deny"`   // what it may not use; takes precedence over allow
	Manage bool     `json:"manage"` // whether it may register, update and remove tools
	Rate   float64  `json:"rate"`   // calls per second; 0 means no limit
	Burst  int      `json:"burst"`  // burst size; 0 means the calls per second, at least 1
}

// A Caller is a client that may use the gateway.
type Caller struct {
	Name string
	// User identifies whoever it is, for accounts at servers: unlike the name it does not depend on the roles of a token,
	// and no other caller has it.
	User        string
	Manage      bool
	allow, deny []string
	limit       *rate.Limiter // nil means no limit
}

// Unrestricted has full access; it is the caller of a gateway that requires no token, such as one on stdio.
func Unrestricted(name string) *Caller {
	return &Caller{Name: name, User: callerUser(name), Manage: true}
}

// May reports whether the caller may list and call a tool of a server. An empty tool means the server as a whole.
func (c *Caller) May(server, tool string) bool {
	if Matches(c.deny, server, tool) {
		return false
	}
	return len(c.allow) == 0 || Matches(c.allow, server, tool)
}

// Rights identifies what the caller may list and call: callers with the same rights may use the same tools.
func (c *Caller) Rights() string {
	var b strings.Builder
	for _, patterns := range [][]string{c.allow, c.deny} {
		fmt.Fprintf(&b, "%d ", len(patterns))
		for _, p := range patterns {
			fmt.Fprintf(&b, "%d %s", len(p), p)
		}
	}
	return b.String()
}

// Sees reports whether the caller may use anything of a server.
func (c *Caller) Sees(server string) bool {
	for _, pattern := range c.deny {
		if onServer, tool, _ := strings.Cut(pattern, "/"); (tool == "" || tool == "*") && glob(onServer, server) {
			return false
		}
	}
	for _, pattern := range c.allow {
		if onServer, _, _ := strings.Cut(pattern, "/"); glob(onServer, server) {
			return true
		}
	}
	return len(c.allow) == 0
}

// ValidPattern reports whether a pattern can match: server or server/tool, with * as a wildcard.
func ValidPattern(pattern string) bool { return pattern != "" && path.Clean(pattern) == pattern }

// Matches reports whether one of the patterns matches a tool of a server.
func Matches(patterns []string, server, tool string) bool {
	for _, pattern := range patterns {
		onServer, onTool, both := strings.Cut(pattern, "/")
		if glob(onServer, server) && (!both || glob(onTool, tool)) {
			return true
		}
	}
	return false
}

// glob matches with * as the only wildcard. Names are case-sensitive.
func glob(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return strings.HasSuffix(name, parts[len(parts)-1])
}

// Allow counts one call and reports whether it is within the caller's rate.
func (c *Caller) Allow() bool { return c.limit == nil || c.limit.Allow() }

// A Policy stores the callers. It can be replaced while the gateway runs.
type Policy struct {
	state   atomic.Pointer[state]
	refused refusals

	// OnJWT receives each accepted token of the issuer, with its user; nil ignores it. It is set before the first request.
	OnJWT func(user, token string)
}

// A state is an immutable parsed config. It is replaced as a whole.
type state struct {
	byHash    map[[sha256.Size]byte]*Caller
	byName    map[string]*Caller
	bySubject map[string]*Caller
	jwt       *verifier // nil if no issuer is configured
	roles     *roles
}

// New returns a policy for the callers of the config.
func New(c Config) (*Policy, error) {
	p := &Policy{}
	return p, p.Replace(c)
}

// Single returns a policy with one caller, which has full access with the token.
func Single(name, token string) *Policy {
	sum := sha256.Sum256([]byte(token))
	p, err := New(Config{Callers: []CallerConfig{{Name: name, TokenSHA256: hex.EncodeToString(sum[:]), Manage: true}}})
	if err != nil {
		panic(err) // the config is valid
	}
	return p
}

// Replace applies another config from now on. An invalid one changes nothing. Used rate limits stay used, and the keys
// of an unchanged issuer stay cached.
func (p *Policy) Replace(c Config) error {
	fresh, err := newState(c)
	if err != nil {
		return err
	}
	if old := p.state.Load(); old != nil {
		fresh.inherit(old)
	}
	p.state.Store(fresh)
	return nil
}

func newState(c Config) (*state, error) {
	s := &state{byHash: map[[sha256.Size]byte]*Caller{}, byName: map[string]*Caller{}, bySubject: map[string]*Caller{}}
	for i, entry := range c.Callers {
		caller, sum, err := entry.caller(c.JWT != nil)
		if err != nil {
			return nil, fmt.Errorf("caller %d: %w", i+1, err)
		}
		if isHolderName(caller.Name) {
			return nil, fmt.Errorf("caller %d: invalid name %q: names that end in [ ] are those of roles", i+1,
				caller.Name)
		}
		if s.byName[caller.Name] != nil || entry.Subject == "" && s.byHash[sum] != nil ||
			entry.Subject != "" && s.bySubject[entry.Subject] != nil {
			return nil, fmt.Errorf("caller %q: duplicate name or token", caller.Name)
		}
		if s.byName[caller.Name] = caller; entry.Subject != "" {
			s.bySubject[entry.Subject] = caller
		} else {
			s.byHash[sum] = caller
		}
	}
	var err error
	if s.roles, err = newRoles(c.JWT); err != nil {
		return nil, err
	}
	if c.JWT != nil {
		if s.jwt, err = newVerifier(*c.JWT); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// inherit copies the counters and fetched keys of the previous state.
func (s *state) inherit(old *state) {
	for name, caller := range s.byName {
		before := old.byName[name]
		if before == nil || before.limit == nil || caller.limit == nil {
			continue
		}
		before.limit.SetLimit(caller.limit.Limit())
		before.limit.SetBurst(caller.limit.Burst())
		caller.limit = before.limit
	}
	if s.jwt != nil && old.jwt != nil && s.jwt.config.issuer() == old.jwt.config.issuer() {
		if s.jwt = old.jwt; s.roles.same(old.roles) {
			s.roles = old.roles
		}
	}
}

func (e CallerConfig) caller(withJWT bool) (*Caller, [sha256.Size]byte, error) {
	var sum [sha256.Size]byte
	raw, err := hex.DecodeString(e.TokenSHA256)
	if e.Name == "" {
		return nil, sum, fmt.Errorf("missing name")
	}
	if e.Subject != "" && (e.TokenSHA256 != "" || !withJWT) {
		return nil, sum, fmt.Errorf("%q has a subject: expected jwt in the config and no token_sha256", e.Name)
	}
	if e.Subject == "" && (err != nil || copy(sum[:], raw) != len(sum) || len(raw) != len(sum)) {
		return nil, sum, fmt.Errorf("token_sha256 of %q is not a SHA-256 in hex, 64 digits; run: printf %%s TOKEN | sha256sum | cut -d' ' -f1",
			e.Name)
	}
	for _, pattern := range append(append([]string(nil), e.Allow...), e.Deny...) {
		if !ValidPattern(pattern) {
			return nil, sum, fmt.Errorf("invalid pattern %q of %q: expected server or server/tool", pattern, e.Name)
		}
	}
	c := &Caller{Name: e.Name, User: callerUser(e.Name), Manage: e.Manage, allow: e.Allow, deny: e.Deny}
	if e.Rate > 0 {
		c.limit = newLimit(e.Rate, e.Burst)
	}
	return c, sum, nil
}

// newLimit allows this many calls per second, with this burst size.
func newLimit(perSecond float64, burst int) *rate.Limiter {
	if burst <= 0 {
		burst = int(math.Ceil(math.Max(1, perSecond)))
	}
	return rate.NewLimiter(rate.Limit(perSecond), burst)
}

// Find returns the caller with that name in the current policy; nil if there is none.
func (p *Policy) Find(name string) *Caller {
	now := p.state.Load()
	if c := now.byName[name]; c != nil {
		return c
	}
	return now.roles.find(name)
}

// Identify returns the caller with the token, or nil. Tokens are compared by their hashes, which prevents timing
// attacks.
func (p *Policy) Identify(token string) *Caller { return p.state.Load().identify(token) }

func (s *state) identify(token string) *Caller { return s.byHash[sha256.Sum256([]byte(token))] }

type callerKey struct{}

// CallerOf returns the name of the caller of a request that Require accepted.
func CallerOf(ctx context.Context) string {
	name, _ := ctx.Value(callerKey{}).(string)
	return name
}

// admit finds the caller of a token, or the status and the error code to reject it with.
func (p *Policy) admit(ctx context.Context, token string, given bool) (caller *Caller, status int, problem string) {
	if !given {
		return nil, http.StatusUnauthorized, ""
	}
	now := p.state.Load()
	if caller = now.identify(token); caller != nil {
		return caller, http.StatusOK, ""
	}
	if now.jwt == nil {
		return nil, http.StatusUnauthorized, "invalid_token"
	}
	subject, claims, err := now.jwt.verify(ctx, token)
	switch {
	case errors.Is(err, errScope):
		return nil, http.StatusForbidden, "insufficient_scope"
	case errors.Is(err, errKeys):
		return nil, http.StatusServiceUnavailable, "" // the token may be valid
	case err != nil:
		return nil, http.StatusUnauthorized, "invalid_token"
	}
	if caller = now.bySubject[subject]; caller == nil {
		caller = now.roles.holder(subject, claims)
	}
	if caller == nil {
		return nil, http.StatusForbidden, "insufficient_scope"
	}
	if p.OnJWT != nil {
		p.OnJWT(caller.User, token)
	}
	return caller, http.StatusOK, ""
}

// SignIn returns the caller with a token, or nil. Rejected tokens are counted.
func (p *Policy) SignIn(ctx context.Context, token string) *Caller {
	caller, status, _ := p.admit(ctx, token, token != "")
	if caller == nil {
		p.refused.count(status)
	}
	return caller
}

func callerUser(name string) string { return "caller " + name }

// Require accepts only requests with a known bearer token, within the rate limit of the caller.
func (p *Policy) Require(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
		caller, status, problem := p.admit(r.Context(), token, found && strings.EqualFold(scheme, "Bearer"))
		if caller == nil {
			p.refuse(w, status, problem)
			return
		}
		if r.Method == http.MethodPost && !caller.Allow() {
			p.refused.count(http.StatusTooManyRequests)
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller.Name)))
	})
}

// refuse rejects a request from an unknown caller.
func (p *Policy) refuse(w http.ResponseWriter, status int, problem string) {
	p.refused.count(status)
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "Service Unavailable: "+errKeys.Error(), status)
		return
	}
	w.Header().Set("WWW-Authenticate", p.challenge(problem))
	http.Error(w, http.StatusText(status), status)
}

// Nobody has no access: it replaces a caller whose config was removed.
func Nobody() *Caller { return &Caller{deny: []string{"*"}} }
