// Package oauth is an MCP server with its authorization server, for tests. Both use real HTTP on loopback,
// validate requests, and can fail at any step: a Fault is part of the URL, so that one listener serves all of them.
package oauth

import (
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/demo"
)

// A Fault is a defect. The empty fault is a correct pair of servers.
type Fault string

// The faults, by step. Those under variants are not faults.
const (
	// resource-metadata
	ResourceMissing   Fault = "resource-missing"
	ResourceClosed    Fault = "resource-closed"
	ResourceFails     Fault = "resource-fails"
	ResourceHTML      Fault = "resource-html"
	ResourceMismatch  Fault = "resource-mismatch"
	ResourceNobody    Fault = "resource-nobody"
	ResourcePlain     Fault = "resource-plain"
	ResourceHuge      Fault = "resource-huge"
	ResourceDouble    Fault = "resource-double"
	ResourceLoop      Fault = "resource-loop"
	ResourceScript    Fault = "resource-script"
	ResourceElsewhere Fault = "resource-elsewhere"
	// server-metadata
	ServerLinkLocal  Fault = "server-link-local"
	ServerMissing    Fault = "server-missing"
	ServerFails      Fault = "server-fails"
	ServerText       Fault = "server-text"
	ServerIssuer     Fault = "server-issuer"
	ServerSlash      Fault = "server-slash"
	ServerNoPKCE     Fault = "server-no-pkce"
	ServerNoToken    Fault = "server-no-token"
	ServerPlain      Fault = "server-plain"
	ServerJavascript Fault = "server-javascript"
	ServerWeakPKCE   Fault = "server-weak-pkce" // only the method plain is listed
	ServerMachines   Fault = "server-machines"  // tokens for programs alone: no grant that asks users
	// registration
	RegistrationNone    Fault = "registration-none"
	RegistrationClosed  Fault = "registration-closed"
	RegistrationInvalid Fault = "registration-invalid"
	RegistrationNoID    Fault = "registration-no-id"
	LocalhostRefused    Fault = "localhost-refused" // loopback redirect URIs only with the address
	RegistrationBare    Fault = "registration-bare" // the response has the client ID alone
	ManagedClient       Fault = "managed-client"    // no fault: clients can be deleted
	ManagedElsewhere    Fault = "managed-elsewhere" // clients can be deleted at another origin
	// callback
	Denied      Fault = "denied"
	WrongState  Fault = "wrong-state"
	WrongIssuer Fault = "wrong-issuer"
	NoIssuer    Fault = "no-issuer"
	NoCode      Fault = "no-code"
	TwoCodes    Fault = "two-codes"
	// token
	TokenInvalid  Fault = "token-invalid"
	TokenFails    Fault = "token-fails"
	TokenText     Fault = "token-text"
	TokenEmpty    Fault = "token-empty"
	TokenType     Fault = "token-type"
	TokenRedirect Fault = "token-redirect"
	TokenGarbage  Fault = "token-garbage"
	// call
	Refused   Fault = "refused"
	Forbidden Fault = "forbidden"
	Greedy    Fault = "greedy" // requires a scope that the token already has
	// refresh
	RefreshInvalid Fault = "refresh-invalid"
	// checks of the protection: see checked.go for those of tokens
	SignInRedirect   Fault = "sign-in-redirect"
	SignInPage       Fault = "sign-in-page"
	TwoDocuments     Fault = "two-documents" // the challenge and the well-known location differ
	ResourceParent   Fault = "resource-parent"
	SlashOpen        Fault = "slash-open" // the path with a slash needs no token
	NoErrorCode      Fault = "no-error-code"
	OfflineResource  Fault = "offline-resource"
	OfflineChallenge Fault = "offline-challenge"
	CORSHidden       Fault = "cors-hidden"
	PassesToken      Fault = "passes-token" // to the upstream
	NoDefaults       Fault = "no-defaults"  // neither metadata nor the endpoints that clients of 2025-03-26 try then
	// variants
	Silent       Fault = "silent"       // no WWW-Authenticate header
	FixedToken   Fault = "fixed-token"  // neither a WWW-Authenticate header nor metadata
	OpenID       Fault = "openid"       // metadata only by OpenID discovery
	Confidential Fault = "confidential" // clients get a secret and must use it
	Expiring     Fault = "expiring"     // tokens are expired when they are issued
	StepUp       Fault = "step-up"      // tools/list needs a separate scope
	Open         Fault = "open"         // no token is needed
	Optional     Fault = "optional"     // no token is needed, but one is available
	OwnUpstream  Fault = "own-upstream" // the upstream gets a token of the server
)

// A Server is the pair.
type Server struct {
	// OnRequest is called with each request, before it is processed; set it before the first one.
	OnRequest func(r *http.Request)

	// Upstream is the URL of another service, for the faults that use it.
	Upstream string

	origin string
	tools  http.Handler

	mu      sync.Mutex
	seen    []string // method and path of each request
	clients map[string]string
	back    map[string][]string // redirect URIs, by registered client
	codes   map[string]code
	tokens  map[string]grant // by access token
	refresh map[string]grant // by refresh token

	exchanged []string // the tokens that were sent for an exchange
	now       func() time.Time
}

// A grant is what a token stands for.
type grant struct {
	scopes, resource string
	family           *bool // whether refresh tokens of the same sign-in are valid
	used             bool  // of a refresh token
	expires          time.Time
}

// A code is a grant by the user.
type code struct {
	client, redirect, challenge, resource, scopes string
	used                                          bool
}

// Known is a preregistered client.
const (
	KnownID     = "known-client"
	KnownSecret = "known-client-secret-value"
)

// Start runs the pair until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s, stop := Run()
	t.Cleanup(stop)
	return s
}

// Run runs the pair until stop is called.
func Run() (s *Server, stop func()) {
	builtin, _ := demo.Lookup("demo")
	tools, stopTools := builtin.Handler()
	s = &Server{tools: tools, clients: map[string]string{KnownID: KnownSecret}, codes: map[string]code{},
		back: map[string][]string{}, tokens: map[string]grant{}, refresh: map[string]grant{}, now: time.Now}
	web := httptest.NewServer(s)
	s.origin = web.URL
	return s, func() {
		stopTools()
		web.CloseClientConnections()
		web.Close()
	}
}

// URL returns the URL of the MCP server with a fault.
func (s *Server) URL(f Fault) string { return s.origin + "/" + f.name() + "/mcp" }

// Issuer returns the URL of the authorization server with a fault.
func (s *Server) Issuer(f Fault) string { return s.origin + "/" + f.name() + "/as" }

// Seen lists the requests that were made, as method and path.
func (s *Server) Seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// SetClock sets the time by which tokens expire; call it before the first request.
func (s *Server) SetClock(now func() time.Time) { s.now = now }

// Revoke revokes all access tokens. Refresh tokens stay valid.
func (s *Server) Revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
}

// Exchanged lists the tokens that were sent for an exchange.
func (s *Server) Exchanged() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.exchanged...)
}

func (f Fault) name() string {
	if f == "" {
		return "fine"
	}
	return string(f)
}

// ServeHTTP finds the fault in the path: /FAULT/mcp, /FAULT/as/…, and both behind /.well-known/….
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	if s.OnRequest != nil {
		s.OnRequest(r)
	}
	path, known := strings.CutPrefix(r.URL.Path, "/.well-known/")
	document := ""
	if known {
		document, path, _ = strings.Cut(path, "/")
	} else {
		path = strings.TrimPrefix(path, "/")
	}
	name, rest, _ := strings.Cut(path, "/")
	v := &visit{Server: s, fault: Fault(name), w: w, r: r}
	switch {
	case document == "oauth-protected-resource" && rest == "mcp":
		v.resource()
	case document == "oauth-authorization-server" && rest == "as" && v.fault != OpenID,
		rest == "as/.well-known/openid-configuration":
		v.metadata()
	case known:
		http.NotFound(w, r)
	case rest == "mcp":
		v.mcp()
	case rest == "mcp/" && v.fault == SlashOpen:
		v.tools.ServeHTTP(w, r)
	case rest == "as/keys":
		v.keys()
	case rest == "as/register":
		v.register()
	case rest == "as/authorize":
		v.authorize()
	case rest == "as/upstream":
		v.upstream()
	case rest == "as/token":
		v.token()
	default:
		http.NotFound(w, r)
	}
}

// A visit is one request.
type visit struct {
	*Server
	fault Fault
	w     http.ResponseWriter
	r     *http.Request
}

func (v *visit) is(faults ...Fault) bool {
	for _, f := range faults {
		if v.fault == f {
			return true
		}
	}
	return false
}

func (v *visit) say(status int, kind, text string) {
	v.w.Header().Set("Content-Type", kind)
	v.w.WriteHeader(status)
	_, _ = v.w.Write([]byte(text))
}

// secret is a value that must not appear in any output.
func secret(kind string) string { return "canary-" + kind + "-" + rand.Text() }

// Origin is the origin of both servers, with a folder per fault.
func (s *Server) Origin() string { return s.origin }
