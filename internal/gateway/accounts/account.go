package accounts

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An Account is the account of one user at one server.
type Account struct {
	owner *Accounts
	user  string
	turn  chan struct{} // has an element while a token is requested

	mu      sync.Mutex
	server  Server
	record  record // as it was read last; without a grant there is no account
	version int
	read    time.Time
	refused *wire.Frame // the last rejection, which may contain the URL of the metadata
}

// rereadAfter is how long a record is used without reading it again: another replica may have changed it.
const rereadAfter = time.Second

func (a *Account) setServer(s Server) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.server = s
}

func (a *Account) settings() Server {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.server
}

// stored reports whether the account is in the store. Other tokens can be obtained again at any time, without a user.
func (s Server) stored() bool { return s.Grant == auth.AuthorizationCode }

// Ready makes sure that there is a token for the next request, and returns the ID of the account. An error is an
// *upstream.AuthorizationError that says what to do.
func (a *Account) Ready(ctx context.Context) (id string, err error) {
	s := a.settings()
	if err := a.reread(ctx, s, rereadAfter); err != nil {
		return "", a.failure(err)
	}
	a.mu.Lock()
	r := a.record
	a.mu.Unlock()
	now := a.owner.opts.Now()
	switch {
	case r.Grant == nil && s.stored():
		return "", a.notConnected("no account is connected")
	case r.Ended != "":
		return "", a.notConnected(r.Ended)
	case r.Grant != nil && !stale(r.Grant, now):
		return r.ID, nil
	case r.Grant != nil && s.stored() && !r.Grant.Renewable():
		if now.Before(r.Grant.Expires) {
			return r.ID, nil
		}
		return "", a.notConnected("the token has expired, and the authorization server issued no refresh token")
	}
	used := ""
	if r.Grant != nil {
		used = r.Grant.AccessToken
	}
	err = a.renew(ctx, used)
	if err != nil && r.Grant != nil && now.Before(r.Grant.Expires) && !isAuthorization(err) {
		err = nil // the authorization server is down, but the token is still valid
	}
	return r.ID, err
}

// reread reads the record if what is known is older than this.
func (a *Account) reread(ctx context.Context, s Server, age time.Duration) error {
	now := a.owner.opts.Now()
	a.mu.Lock()
	fresh := !s.stored() || !a.read.IsZero() && now.Sub(a.read) < age
	a.mu.Unlock()
	if fresh {
		return nil
	}
	r, version, err := load[record](ctx, a.owner, recordKey(s, a.user))
	if err != nil {
		return err
	}
	a.adopt(r, version)
	return nil
}

// refreshMargin is how long before its expiry a token is refreshed, at most a quarter of its life: some servers issue
// tokens for seconds.
const refreshMargin = 30 * time.Second

func stale(g *auth.Grant, now time.Time) bool {
	return !g.Expires.IsZero() && now.Add(min(refreshMargin, g.Expires.Sub(g.Obtained)/4)).After(g.Expires)
}

// adopt makes a record the current one, unless a newer one is known. A removed record is always adopted.
func (a *Account) adopt(r record, version int) (changed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.read = a.owner.opts.Now()
	if version != 0 && version < a.version && r.ID == a.record.ID {
		return false
	}
	changed = version != a.version
	a.record, a.version = r, version
	return changed
}

// Changed reads the record again and reports whether it was changed elsewhere.
func (a *Account) Changed(ctx context.Context) bool {
	s := a.settings()
	if !s.stored() {
		return false
	}
	r, version, err := load[record](ctx, a.owner, recordKey(s, a.user))
	return err == nil && a.adopt(r, version)
}

// grant returns the current token of the account with this ID, or of any if the ID is empty; nil if there is none.
func (a *Account) grant(id string) *auth.Grant {
	a.mu.Lock()
	defer a.mu.Unlock()
	if id != "" && id != a.record.ID || a.record.Ended != "" {
		return nil
	}
	return a.record.Grant
}

// State is what the page shows about an account.
type State struct {
	Connected bool
	Problem   string // why it must be connected again
	Since     time.Time
	Issuer    string
	Scopes    []string
}

// State reads the account.
func (a *Account) State(ctx context.Context) (State, error) {
	s := a.settings()
	if err := a.reread(ctx, s, 0); err != nil {
		return State{}, a.failure(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.record.Grant == nil {
		return State{}, nil
	}
	g := a.record.Grant
	return State{Connected: a.record.Ended == "", Problem: a.record.Ended, Since: a.record.At, Issuer: g.Issuer,
		Scopes: g.Granted()}, nil
}

// Remove removes the account from the store. The sessions that used it have no token from then on.
func (a *Account) Remove(ctx context.Context) error {
	s := a.settings()
	_, err := a.owner.opts.Store.Commit(ctx, store.Change{Key: recordKey(s, a.user), Seen: store.Any})
	if missing := (*store.NotFoundError)(nil); err != nil && !asMissing(err, &missing) {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.record, a.version, a.read = record{}, 0, time.Time{}
	return nil
}

// notConnected is the error of a request without a token.
func (a *Account) notConnected(reason string) *upstream.AuthorizationError {
	s := a.settings()
	e := &upstream.AuthorizationError{Server: s.Name, Reason: reason}
	switch {
	case a.user == "" && s.stored():
		e.Advice = "the operator must run: mcptest gateway login " + s.Name
	case s.stored():
		e.Connect = a.owner.pageFor(s.Name, nil)
		e.Advice = "connect your account at " + e.Connect
	case s.Grant == auth.TokenExchange:
		e.Advice = "sign in to the gateway again, or ask its operator"
	default:
		e.Advice = "the operator must check oauth of the server in the config"
	}
	return e
}

// tooNarrow is the error of a request that needs more scopes.
func (a *Account) tooNarrow(scopes []string) *upstream.AuthorizationError {
	s := a.settings()
	e := &upstream.AuthorizationError{Server: s.Name, Scopes: scopes,
		Reason: "the token lacks a scope that this request requires"}
	if len(scopes) > 0 {
		e.Reason = "the request requires more scopes: " + strings.Join(scopes, " ")
	}
	if a.user != "" && s.stored() {
		e.Connect = a.owner.pageFor(s.Name, scopes)
		e.Advice = "grant them at " + e.Connect + ", then call again"
		return e
	}
	e.Advice = fmt.Sprintf("the operator must add them to scopes of oauth of server %q in the config", s.Name)
	if s.stored() {
		e.Advice += ", and run: mcptest gateway login " + s.Name
	}
	return e
}
