package access

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// wait is how long is waited for what should come at once.
const wait = 30 * time.Second

// A moody issuer answers as the test sets it.
type moodyIssuer struct {
	*issuer
	mood  atomic.Value // func(w http.ResponseWriter, r *http.Request, keys string)
	front *httptest.Server
	asked atomic.Int64
}

func newMoody(t *testing.T) *moodyIssuer {
	t.Helper()
	m := &moodyIssuer{issuer: newIssuer(t)}
	m.be(func(w http.ResponseWriter, _ *http.Request, keys string) { fmt.Fprint(w, keys) })
	m.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.asked.Add(1)
		m.mood.Load().(func(http.ResponseWriter, *http.Request, string))(w, r, m.keys)
	}))
	t.Cleanup(m.front.Close)
	return m
}

func (m *moodyIssuer) be(mood func(w http.ResponseWriter, r *http.Request, keys string)) {
	m.mood.Store(mood)
}

func (m *moodyIssuer) policy(t *testing.T) *Policy {
	t.Helper()
	p, err := New(m.config())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (m *moodyIssuer) config() Config {
	return Config{JWT: &JWTConfig{Issuer: m.url, Audience: "https://gateway.example.com/mcp",
		JWKS: m.front.URL + "/keys"},
		Callers: []CallerConfig{{Name: "ada", Subject: "user-1"}}}
}

func (m *moodyIssuer) good(kid string) string {
	return m.token("ES256", kid, map[string]any{"iss": m.url, "aud": "https://gateway.example.com/mcp", "sub": "user-1",
		"exp": time.Now().Add(time.Hour).Unix()})
}

// ask sends a request with the token and returns its status.
func ask(ctx context.Context, p *Policy, token string) int {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	p.Require(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
	return w.Code
}

// A slow issuer: a bogus key makes its own request wait, and no other.
func TestSlowIssuer(t *testing.T) {
	m := newMoody(t)
	p := m.policy(t)
	if got := ask(t.Context(), p, m.good("e")); got != 200 {
		t.Fatalf("a good token: %d", got)
	}
	slow, began := make(chan struct{}), make(chan struct{}, 100)
	defer close(slow)
	m.be(func(w http.ResponseWriter, r *http.Request, keys string) {
		began <- struct{}{}
		select {
		case <-slow:
		case <-r.Context().Done():
		}
		fmt.Fprint(w, keys)
	})
	bogus := make(chan int, 1)
	go func() { bogus <- ask(t.Context(), p, m.good("bogus")) }()
	select {
	case <-began:
	case <-time.After(wait):
		t.Fatal("the issuer was not asked")
	}
	for range 20 { // while the fetch is in progress
		if got := ask(t.Context(), p, m.good("e")); got != 200 {
			t.Errorf("a good token while another key is looked for: %d", got)
		}
	}
	select {
	case got := <-bogus:
		t.Errorf("the bogus token was answered with %d before the issuer answered", got)
	default:
	}
}

// A client that goes away does not end the fetch for others, nor lock a valid key out.
func TestCancelledClientAndKeys(t *testing.T) {
	m := newMoody(t)
	p := m.policy(t)
	began, goOn := make(chan struct{}, 100), make(chan struct{})
	m.be(func(w http.ResponseWriter, _ *http.Request, keys string) {
		began <- struct{}{}
		<-goOn
		fmt.Fprint(w, keys)
	})
	for range 2 * fetchBurst { // more than the limit of fetches
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan int, 1)
		go func() { left <- ask(ctx, p, m.good("e")) }()
		select {
		case <-began:
			began <- struct{}{}
		case <-time.After(wait):
			t.Fatal("the issuer was not asked")
		}
		cancel()
		<-left
	}
	close(goOn)
	if got := ask(t.Context(), p, m.good("e")); got != 200 {
		t.Errorf("a good token after clients that went away: %d, want 200", got)
	}
	if n := m.asked.Load(); n != 1 {
		t.Errorf("the issuer was asked %d times, want once for all", n)
	}
}

// A dead issuer: known keys still count, without keys the answer is 503, and afterwards all is well.
func TestDeadIssuer(t *testing.T) {
	m := newMoody(t)
	alive := func(w http.ResponseWriter, _ *http.Request, keys string) { fmt.Fprint(w, keys) }
	dead := func(w http.ResponseWriter, _ *http.Request, _ string) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = connection.Close()
		}
	}
	m.be(dead)
	p := m.policy(t)
	if got := ask(t.Context(), p, m.good("e")); got != 503 {
		t.Errorf("without keys: %d, want 503", got)
	}
	m.be(alive)
	for deadline := time.Now().Add(wait); ask(t.Context(), p, m.good("e")) != 200; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the token is not accepted although the issuer is back")
		}
	}
	m.be(dead)
	old := p.state.Load().jwt.keys
	old.mu.Lock()
	old.fetched = time.Now().Add(-2 * keysMaxAge)
	old.mu.Unlock()
	for range 3 {
		if got := ask(t.Context(), p, m.good("e")); got != 200 {
			t.Errorf("with old keys: %d, want 200", got)
		}
	}
	if err := p.Replace(m.config()); err != nil || ask(t.Context(), p, m.good("e")) != 200 {
		t.Errorf("after a config that does not change the issuer its keys are lost (%v)", err)
	}
}

// A lying issuer: what is not a set of keys replaces none.
func TestLyingIssuer(t *testing.T) {
	for name, lie := range map[string]string{
		"HTML": "<html>keys</html>", "no keys": `{}`, "not an array": `{"keys":"all"}`,
		"huge": `{"keys":[` + strings.Repeat(" ", maxKeys) + `]}`, "empty": "",
	} {
		m := newMoody(t)
		p := m.policy(t)
		if got := ask(t.Context(), p, m.good("e")); got != 200 {
			t.Fatalf("a good token: %d", got)
		}
		m.be(func(w http.ResponseWriter, _ *http.Request, _ string) { fmt.Fprint(w, lie) })
		if got := ask(t.Context(), p, m.good("bogus")); got != 503 && got != 401 {
			t.Errorf("%s: a bogus key: %d", name, got)
		}
		if got := ask(t.Context(), p, m.good("e")); got != 200 {
			t.Errorf("%s: the known key: %d, want 200", name, got)
		}
	}
	weak := newMoody(t)
	weak.be(func(w http.ResponseWriter, _ *http.Request, _ string) {
		fmt.Fprint(w, `{"keys":[{"kty":"oct","kid":"e","k":"c2VjcmV0"},{"kty":"RSA","kid":"r","n":"AQAB","e":"AQAB"},`+
			`null,{"kty":"EC","kid":"x"}]}`)
	})
	if got := ask(t.Context(), weak.policy(t), weak.good("e")); got != 401 {
		t.Errorf("a secret as a key: %d, want 401", got)
	}
}

// A flood of bogus keys does not reach the issuer as a flood, and a key that is new after it is found.
func TestFloodOfUnknownKeys(t *testing.T) {
	m := newMoody(t)
	p := m.policy(t)
	ask(t.Context(), p, m.good("e"))
	for i := range 50 {
		if got := ask(t.Context(), p, m.good(fmt.Sprint("bogus-", i))); got != 401 {
			t.Errorf("bogus key %d: %d, want 401", i, got)
		}
	}
	if n := m.asked.Load(); n > fetchBurst+2 {
		t.Errorf("the issuer was asked %d times, want at most %d", n, fetchBurst+2)
	}
	m.be(func(w http.ResponseWriter, _ *http.Request, keys string) {
		fmt.Fprint(w, strings.ReplaceAll(keys, `"kid":"e"`, `"kid":"rotated"`))
	})
	old := p.state.Load().jwt.keys
	old.fetches.SetLimit(1e6) // as if the interval had passed
	if got := ask(t.Context(), p, m.good("rotated")); got != 200 {
		t.Errorf("a rotated key: %d, want 200", got)
	}
}
