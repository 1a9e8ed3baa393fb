package auth

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Options configure how a token is requested.
type Options struct {
	Server   string // the MCP server's URL
	Identity Identity
	Scopes   []string // requested instead of those that the server lists
	Issuer   string   // which authorization server, if the server lists several
	Grant    string   // AuthorizationCode, which is the default, ClientCredentials, JWTBearer or TokenExchange

	Assertion string            // for JWTBearer: a signed assertion of another authority
	Provider  *IdentityProvider // for JWTBearer: the issuer of the assertion, instead
	Subject   string            // for TokenExchange: the token of the user
	Online    bool              // request no refresh token
	DPoP      bool              // request a token that is bound to our key, even if the server does not require it

	CallbackPort int  // of the redirect URI; 0 means any free port
	AllowPrivate bool // allow loopback and private addresses in metadata
	Insecure     bool // accept any TLS certificate
	Reveal       bool // do not redact secrets in the steps

	// DialContext reaches the server's own origin; nil means the default.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	Secrets     *redact.Secrets                                 // collects the secrets of the flow; may be nil
	Browse      func(ctx context.Context, address string) error // opens the URL for the user; nil leaves that to OnStep
	OnStep      func(Step)                                      // called for each step; may be nil
}

// An Identity is our identity for authorization servers. The zero value registers itself if possible.
type Identity struct {
	// Registered is what an earlier flow registered, for the issuer and the redirect URI that it was registered for.
	Registered func(issuer, redirect string) *Client

	ID       string
	Secret   string
	Key      *Key   // authenticates the ID instead of a secret
	Document string // URL of a client ID metadata document, which is the ID if the server supports it
	Name     string // the display name; empty means mcptest
}

func (i Identity) name() string { return first(i.Name, "mcptest") }

// A Flow is the authorization flow for one server. It must not be used concurrently.
type Flow struct {
	opts   Options
	server *url.URL
	call   *stepClient
	signer *dpopSigner // nil unless tokens are bound to a key

	mu    sync.Mutex
	seq   int
	steps []Step
}

// New returns a flow that has not started.
func New(o Options) (*Flow, error) {
	address, err := Canonical(o.Server)
	if err != nil {
		return nil, err
	}
	u, err := checkURL(address)
	if err != nil {
		return nil, fmt.Errorf("a token for this server would be sent unencrypted: %w", err)
	}
	if o.Grant == "" {
		o.Grant = AuthorizationCode
	}
	if document := o.Identity.Document; document != "" {
		if d, err := url.Parse(document); err != nil || d.Scheme != "https" || strings.Trim(d.Path, "/") == "" {
			return nil, fmt.Errorf("a client ID metadata document requires an https URL with a path; got %q", document)
		}
	}
	f := &Flow{opts: o, server: u, call: newCaller(u, &o)}
	f.call.secrets.Add(o.Identity.Secret)
	return f, nil
}

// Close closes the connections.
func (f *Flow) Close() { f.call.close() }

// Steps returns the steps so far, in their current state.
func (f *Flow) Steps() []Step {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.steps)
}

// begin starts a step.
func (f *Flow) begin(name Name) *Step {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seq++
	return &Step{Seq: f.seq, Name: name, Title: name.Title(), State: OK, Clause: name.Clause()}
}

// emit reports a step in its current state.
func (f *Flow) emit(s *Step) {
	shown := f.call.scrub(*s)
	shown.Notes = slices.Clone(s.Notes)
	f.mu.Lock()
	if last := len(f.steps) - 1; last >= 0 && f.steps[last].Seq == s.Seq {
		f.steps[last] = shown
	} else {
		f.steps = append(f.steps, shown)
	}
	f.mu.Unlock()
	if f.opts.OnStep != nil {
		f.opts.OnStep(shown)
	}
}

// Discover runs from a rejected request to the metadata of the authorization server, and changes nothing there. An
// error that ends it is an *Error.
func (f *Flow) Discover(ctx context.Context, refused wire.Frame) error {
	resource, err := f.resource(ctx, f.refusal(refused))
	if err != nil {
		return err
	}
	_, err = f.authority(ctx, resource)
	return err
}

// Run runs from a rejected request to a token. Scopes that were granted before are requested again with those
// of the rejection. An error that ends the flow is an *Error.
func (f *Flow) Run(ctx context.Context, refused wire.Frame, before []string) (*Grant, error) {
	demand := f.refusal(refused)
	resource, err := f.resource(ctx, demand)
	if err != nil {
		return nil, err
	}
	as, err := f.authority(ctx, resource)
	if err != nil {
		return nil, err
	}
	if f.signer = nil; f.opts.DPoP || demand.DPoP || resource.DPoP {
		if f.signer, err = newSigner(); err != nil {
			return nil, err
		}
	}
	scopes := union(before, f.scopes(demand, resource, as))
	if demand.TooNarrow() { // also if the user has named others
		scopes = union(scopes, demand.Scopes)
	}
	switch f.opts.Grant {
	case ClientCredentials:
		return f.byCredentials(ctx, as, resource, scopes)
	case JWTBearer:
		return f.byAssertion(ctx, as, resource, scopes)
	case TokenExchange:
		return f.bySubject(ctx, as, resource, scopes)
	}
	return f.byCode(ctx, as, resource, scopes)
}

// scopes returns the scopes to request: the user's, or those of the rejection, or all that the server lists.
func (f *Flow) scopes(d WWWAuthenticate, r *resource, as *server) []string {
	scopes := f.opts.Scopes
	if len(scopes) == 0 {
		scopes = d.Scopes
	}
	if len(scopes) == 0 {
		scopes = r.ScopesSupported
	}
	if f.opts.Grant == AuthorizationCode && !f.opts.Online && slices.Contains(as.ScopesSupported, "offline_access") {
		return union(scopes, []string{"offline_access"})
	}
	return scopes
}

// byCode runs the browser flow.
func (f *Flow) byCode(ctx context.Context, as *server, r *resource, scopes []string) (*Grant, error) {
	back, err := listen(f.opts.CallbackPort, rand.Text())
	if err != nil {
		s := f.begin(Registration)
		defer func() { f.emit(s) }()
		return nil, s.fail("choose another port with {--callback-port}", "cannot listen for the browser callback: %v",
			err)
	}
	defer back.close()
	client, err := f.register(ctx, as, back.uri())
	if err != nil {
		return nil, err
	}
	allowed, err := f.authorize(ctx, as, client, back, scopes, r.Resource)
	if err != nil {
		return nil, err
	}
	form := url.Values{"grant_type": {AuthorizationCode}, "code": {allowed.code}, "redirect_uri": {allowed.redirect},
		"code_verifier": {allowed.verifier}, "resource": {r.Resource}}
	got, err := f.redeem(ctx, Token, as, client, form)
	if err != nil {
		return nil, err
	}
	return f.grant(as, r, client, scopes, got)
}

// byCredentials requests a token for the client itself, without a user.
func (f *Flow) byCredentials(ctx context.Context, as *server, r *resource, scopes []string) (*Grant, error) {
	client, err := f.register(ctx, as, "")
	if err != nil {
		return nil, err
	}
	got, err := f.redeem(ctx, Token, as, client, credentialsForm(r.Resource, scopes))
	if err != nil {
		return nil, err
	}
	return f.grant(as, r, client, scopes, got)
}

func credentialsForm(resource string, scopes []string) url.Values {
	form := url.Values{"grant_type": {ClientCredentials}, "resource": {resource}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	return form
}

func (f *Flow) grant(as *server, r *resource, c *Client, scopes []string, got *tokens) (*Grant, error) {
	g := &Grant{Server: f.server.String(), Resource: r.Resource, Issuer: as.Issuer, TokenEndpoint: as.TokenEndpoint,
		Client: *c,
		Kind:   f.opts.Grant, Requested: scopes, AllowPrivate: f.opts.AllowPrivate}
	g.take(got, time.Now())
	if g.DPoP = strings.EqualFold(got.TokenType, dpopScheme); !g.DPoP {
		return g, nil
	}
	var err error
	g.Key, err = f.signer.pem()
	return g, err
}

// Report records a step that was made elsewhere: the request with the token, and the response if it was
// rejected.
func (f *Flow) Report(state State, refused *wire.Frame, result, problem string, advice hint.Text) {
	s := f.begin(Call)
	s.State, s.Result, s.Problem, s.Hint = state, result, problem, advice
	if refused != nil {
		s.Answer = newResponse(refused.Status, f.call.header(refused.Header), refused.Body)
	}
	f.emit(s)
}

// Expired records a request with a token that is not valid: the response, and what is wrong with it, if anything.
func (f *Flow) Expired(refused *wire.Frame, problem string, advice hint.Text, notes ...string) error {
	s := f.begin(Expired)
	defer func() { f.emit(s) }()
	if refused != nil {
		s.Answer = newResponse(refused.Status, f.call.header(refused.Header), refused.Body)
	}
	for _, note := range notes {
		if note != "" {
			s.note("%s", note)
		}
	}
	if problem != "" {
		return s.fail(advice, "%s", problem)
	}
	s.Result = "the server rejected the token"
	return nil
}
