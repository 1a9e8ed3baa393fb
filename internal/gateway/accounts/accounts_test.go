package accounts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// connected returns an account that a user has connected in a browser.
func connected(t *testing.T, m *Accounts, s Server, user string) *Account {
	t.Helper()
	var back url.Values
	page := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { back = r.URL.Query() }))
	defer page.Close()
	a := m.Of(s, user)
	p, err := a.Begin(t.Context(), page.URL+"/connect/callback", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if err := a.Finish(t.Context(), p, back); err != nil {
		t.Fatal(err)
	}
	return a
}

func at(s *oauth.Server, f oauth.Fault) Server {
	return Server{Name: "mail", URL: s.URL(f), Grant: auth.AuthorizationCode}
}

// use opens a session with the account and lists the tools.
func use(ctx context.Context, a *Account) error {
	id, err := a.Ready(ctx)
	if err != nil {
		return err
	}
	return list(ctx, a.settings().URL, a.Credentials(id))
}

func list(ctx context.Context, address string, c wire.Credentials) error {
	session, err := mcp.Connect(ctx, wire.Target{URL: address, Credentials: c}, nil, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	_, err = session.List(ctx, "tools/list")
	return err
}

func tokenRequests(s *oauth.Server) (n int) {
	for _, one := range s.Seen() {
		if strings.HasSuffix(one, "/as/token") {
			n++
		}
	}
	return n
}

func needs(t *testing.T, err error, texts ...string) *upstream.AuthorizationError {
	t.Helper()
	var e *upstream.AuthorizationError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an AuthorizationError", err)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q lacks %q", err, text)
		}
	}
	return e
}

// Two replicas with many requests refresh a rotated token once: a second use of a refresh token would end the account.
func TestOneRefreshForAllReplicas(t *testing.T) {
	s := oauth.Start(t)
	shared, key := &store.Memory{}, RandomKey()
	one := New(Options{Store: shared, Keys: []Key{key}})
	two := New(Options{Store: shared, Keys: []Key{key}})
	connected(t, one, at(s, ""), "caller ann")
	for round := range 3 {
		s.Revoke()
		before := tokenRequests(s)
		var wg sync.WaitGroup
		for i := range 24 {
			wg.Go(func() {
				m := []*Accounts{one, two}[i%2]
				if err := use(t.Context(), m.Of(at(s, ""), "caller ann")); err != nil {
					t.Errorf("round %d, request %d: %v", round, i, err)
				}
			})
		}
		wg.Wait()
		if n := tokenRequests(s) - before; n != 1 {
			t.Errorf("round %d: %d refreshes, want 1", round, n)
		}
	}
}

// An expired token is refreshed before it is used, by one of many.
func TestExpiredTokenIsRefreshedBefore(t *testing.T) {
	s := oauth.Start(t)
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()},
		Now: func() time.Time { return time.Now().Add(time.Hour) }})
	a := connected(t, m, at(s, ""), "caller ann")
	before := tokenRequests(s)
	if _, err := a.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := tokenRequests(s) - before; n != 1 {
		t.Errorf("%d refreshes, want 1", n)
	}
}

func TestCancelledCallerDoesNotLoseTheRotatedToken(t *testing.T) {
	s := oauth.Start(t)
	ctx, cancel := context.WithCancel(t.Context())
	var refreshing bool
	s.OnRequest = func(r *http.Request) {
		if !refreshing || !strings.HasSuffix(r.URL.Path, "/as/token") {
			return
		}
		body, _ := io.ReadAll(r.Body) // so that the server rotates the token whatever happens
		r.Body = io.NopCloser(bytes.NewReader(body))
		cancel()
		select {
		case <-r.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}})
	a := connected(t, m, at(s, ""), "caller ann")
	s.Revoke()
	refreshing = true
	_ = a.renew(ctx, a.grant("").AccessToken) // its caller goes away
	refreshing = false
	if err := use(t.Context(), a); err != nil {
		t.Error(err)
	}
}

func TestUsersHaveTheirOwnAccounts(t *testing.T) {
	s := oauth.Start(t)
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}, Page: "https://gateway.example/connect"})
	ann := connected(t, m, at(s, ""), "caller ann")
	needs(t, use(t.Context(), m.Of(at(s, ""), "caller bob")), "no account is connected",
		"https://gateway.example/connect?server=mail")
	needs(t, use(t.Context(), m.Of(at(s, ""), "")), "mcptest gateway login mail")
	bob := connected(t, m, at(s, ""), "caller bob")
	if ann.grant("").AccessToken == bob.grant("").AccessToken {
		t.Error("two users have the same token")
	}
	if err := ann.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	needs(t, use(t.Context(), ann), "no account is connected")
	if err := use(t.Context(), bob); err != nil {
		t.Error(err)
	}
}

// A session of one account never gets the token of the account that replaces it.
func TestReplacedAccount(t *testing.T) {
	s := oauth.Start(t)
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}})
	a := connected(t, m, at(s, ""), "caller ann")
	id, err := a.Ready(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	old := a.Credentials(id)
	connected(t, m, at(s, ""), "caller ann")
	req := httptest.NewRequest(http.MethodPost, s.URL(""), nil)
	if old.Authorize(req); req.Header.Get("Authorization") != "" {
		t.Error("a session of the first account has the token of the second")
	}
	needs(t, list(t.Context(), s.URL(""), old), "the account was changed")
	if err := use(t.Context(), a); err != nil {
		t.Error(err)
	}
}

func TestEndedAccountSaysWhatToDo(t *testing.T) {
	s := oauth.Start(t)
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}, Page: "https://gateway.example/connect"})
	a := connected(t, m, at(s, oauth.RefreshInvalid), "caller ann")
	s.Revoke()
	needs(t, use(t.Context(), a), "invalid_grant", "connect your account at https://gateway.example/connect?server=mail")
	before := tokenRequests(s)
	needs(t, use(t.Context(), a), "invalid_grant")
	if n := tokenRequests(s) - before; n != 0 {
		t.Errorf("%d more attempts to refresh, want none", n)
	}
	state, err := a.State(t.Context())
	if err != nil || state.Connected || !strings.Contains(state.Problem, "invalid_grant") {
		t.Errorf("state %+v, %v", state, err)
	}
}

func TestMissingScopesArePassedOn(t *testing.T) {
	s := oauth.Start(t)
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}, Page: "https://gateway.example/connect"})
	a := connected(t, m, at(s, oauth.StepUp), "caller ann")
	e := needs(t, use(t.Context(), a), "requires more scopes: tools:list",
		"https://gateway.example/connect?scope=tools%3Alist&server=mail")
	if fmt.Sprint(e.Scopes) != "[tools:list]" {
		t.Errorf("scopes %v", e.Scopes)
	}
	p, err := a.Begin(t.Context(), "http://127.0.0.1:1/connect/callback", e.Scopes)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(p.URL)
	if scope := u.Query().Get("scope"); !strings.Contains(scope, "tools:read") || !strings.Contains(scope, "tools:list") {
		t.Errorf("requested scopes %q, want the old and the new one", scope)
	}
	shared := at(s, oauth.StepUp)
	shared.Shared = true
	needs(t, use(t.Context(), connected(t, m, shared, "")), "must add them to scopes of oauth", "mcptest gateway login mail")
}

func TestTokensWithoutAUser(t *testing.T) {
	s := oauth.Start(t)
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}})
	server := Server{Name: "mail", URL: s.URL(""), Grant: auth.ClientCredentials, Shared: true,
		Identity: auth.Identity{ID: oauth.KnownID, Secret: oauth.KnownSecret}}
	for range 2 {
		if err := list(t.Context(), server.URL, m.Of(server, "").Credentials("")); err != nil {
			t.Fatal(err)
		}
		s.Revoke()
	}
	server.Identity.Secret = "wrong"
	fresh := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}})
	needs(t, list(t.Context(), server.URL, fresh.Of(server, "").Credentials("")), "invalid_client",
		"the operator must check oauth")
}

// The token of a caller is exchanged at the authorization server, and never reaches the server.
func TestTokenExchange(t *testing.T) {
	s := oauth.Start(t)
	var mu sync.Mutex
	var sent []string
	s.OnRequest = func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/mcp") {
			sent = append(sent, r.Header.Get("Authorization"))
		}
	}
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}})
	server := Server{Name: "mail", URL: s.URL(""), Grant: auth.TokenExchange,
		Identity: auth.Identity{ID: oauth.KnownID, Secret: oauth.KnownSecret}}
	needs(t, use(t.Context(), m.Of(server, "subject ann")), "no token of the caller")
	for _, user := range []string{"ann", "bob"} {
		m.Saw("subject "+user, "subject-"+user)
		for range 2 { // once exchanged, it is used until it expires
			if err := use(t.Context(), m.Of(server, "subject "+user)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := fmt.Sprint(s.Exchanged()); got != "[subject-ann subject-bob]" {
		t.Errorf("exchanged %s", got)
	}
	m.Saw("subject eve", "forged")
	needs(t, use(t.Context(), m.Of(server, "subject eve")), "invalid_grant")
	if all := strings.Join(sent, " "); strings.Contains(all, "subject-") || !strings.Contains(all, "canary-access") {
		t.Errorf("the server got %s", all)
	}
}

func TestStoredAccountsAreEncrypted(t *testing.T) {
	s := oauth.Start(t)
	st, key := &store.Memory{}, RandomKey()
	m := New(Options{Store: st, Keys: []Key{key}})
	connected(t, m, at(s, oauth.Confidential), "caller ann")
	records, err := st.Since(t.Context(), 0)
	if err != nil || len(records) != 2 { // the client and the account
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		if bytes.Contains(r.Body, []byte("canary")) || bytes.Contains(r.Body, []byte("token")) {
			t.Errorf("%q is not encrypted: %q", r.Key, r.Body)
		}
	}
	other := New(Options{Store: st, Keys: []Key{RandomKey()}})
	needs(t, use(t.Context(), other.Of(at(s, oauth.Confidential), "caller ann")), "which is not configured")
	rotated := New(Options{Store: st, Keys: []Key{RandomKey(), key}})
	if err := use(t.Context(), rotated.Of(at(s, oauth.Confidential), "caller ann")); err != nil {
		t.Errorf("with a new key before the old one: %v", err)
	}
	// one who can write to the store gives the account of ann to bob
	account, err := st.Get(t.Context(), recordKey(at(s, oauth.Confidential), "caller ann"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := st.Commit(t.Context(), store.Change{Key: recordKey(at(s, oauth.Confidential), "caller bob"),
		Seen: store.Any, Body: account.Body}); err != nil {
		t.Fatal(err)
	}
	needs(t, use(t.Context(), m.Of(at(s, oauth.Confidential), "caller bob")), "cannot decrypt")
}

// The client is registered once, not for each user.
func TestOneRegistration(t *testing.T) {
	s := oauth.Start(t)
	m := New(Options{Store: &store.Memory{}, Keys: []Key{RandomKey()}})
	for range 3 {
		if _, err := m.Of(at(s, ""), "caller ann").Begin(t.Context(), "http://127.0.0.1:1/connect/callback", nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(strings.Join(s.Seen(), "\n"), "/as/register"); n != 1 {
		t.Errorf("%d registrations, want 1", n)
	}
}

func TestParseKey(t *testing.T) {
	for text, good := range map[string]bool{
		strings.Repeat("ab", 32):                       true,
		"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=": true,
		"":                       false,
		"short":                  false,
		strings.Repeat("ab", 16): false,
	} {
		if _, err := ParseKey(text); (err == nil) != good {
			t.Errorf("ParseKey(%q) = %v", text, err)
		}
	}
}
