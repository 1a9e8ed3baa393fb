package replicas

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

func open(t *testing.T, database, url string, idle time.Duration) *Replicas {
	t.Helper()
	r, err := Open(t.Context(), Options{Database: database, URL: url, Idle: idle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// Of many claims at once, one gets the session, with its last state, and the former owner is notified of the loss once.
func TestClaim(t *testing.T) {
	database := postgres.Fresh(t)
	first := open(t, database, "http://first", time.Hour)
	if err := first.Open(t.Context(), "key", &serve.SharedSession{Caller: "ada"}); err != nil {
		t.Fatal(err)
	}
	if err := first.Save(t.Context(), "key", &serve.SharedSession{Caller: "ada", Level: "error"}); err != nil {
		t.Fatal(err)
	}
	var others []*Replicas
	for i := range 4 {
		others = append(others, open(t, database, fmt.Sprint("http://other-", i), time.Hour))
	}
	var lock sync.Mutex
	var running sync.WaitGroup
	var got []string
	for _, r := range others {
		running.Go(func() {
			s, err := r.Claim(t.Context(), "key", first.Self())
			lock.Lock()
			defer lock.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case s != nil && (s.Caller != "ada" || s.Level != "error"):
				t.Errorf("claimed %+v", s)
			case s != nil:
				got = append(got, r.Self())
			}
		})
	}
	running.Wait()
	_, owner, err := others[0].Find(t.Context(), "key", true)
	if len(got) != 1 || err != nil || owner != got[0] {
		t.Errorf("claimed by %v, owner %q, %v", got, owner, err)
	}
	if err := first.Save(t.Context(), "key", &serve.SharedSession{Caller: "bob"}); err != nil {
		t.Fatal(err)
	}
	if s, _, _ := first.Find(t.Context(), "key", true); s.Caller != "ada" {
		t.Error("a replica without the session has changed it")
	}
	for _, want := range [][]string{{"key"}, nil} {
		if lost, err := first.Beat(t.Context(), []string{"key"}); err != nil || !slices.Equal(lost, want) {
			t.Errorf("lost %v, %v, want %v", lost, err, want)
		}
	}
}

// Sessions expire if no replica reports that they are used.
func TestExpiry(t *testing.T) {
	database := postgres.Fresh(t)
	r := open(t, database, "http://first", time.Hour)
	for _, key := range []string{"used", "idle"} {
		if err := r.Open(t.Context(), key, &serve.SharedSession{Caller: "ada"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.db.Exec(`UPDATE gateway_sessions SET used = now() - interval '2 hours'`); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Find(t.Context(), "idle", true); !errors.Is(err, serve.ErrNoSession) {
		t.Errorf("an expired session: %v", err)
	}
	if _, err := r.Beat(t.Context(), []string{"used"}); err != nil {
		t.Fatal(err)
	}
	if _, owner, err := r.Find(t.Context(), "used", true); err != nil || owner != r.Self() {
		t.Errorf("a used session: %q, %v", owner, err)
	}
	var n int
	if err := r.db.QueryRow(`SELECT count(*) FROM gateway_sessions`).Scan(&n); err != nil || n != 1 {
		t.Errorf("%d sessions, %v, want the used one", n, err)
	}
	if err := r.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, owner, err := r.Find(t.Context(), "used", true); err != nil || owner != "" {
		t.Errorf("a released session: %q, %v", owner, err)
	}
}

// A request that did not reach a replica has another error than one that may have.
func TestForward(t *testing.T) {
	database := postgres.Fresh(t)
	var header http.Header
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		if r.URL.Path == "/lost" {
			panic(http.ErrAbortHandler)
		}
	}))
	defer web.Close()
	here, there := open(t, database, "http://127.0.0.1:1", time.Hour), open(t, database, web.URL+"/", time.Hour)
	request := func(path string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, path, nil)
		r.Header = http.Header{"Authorization": {"Bearer t"}, "Origin": {"http://page.example"}, "Connection": {"close"}}
		return r
	}
	resp, err := here.Forward(there.Self(), request("/mcp"), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if header.Get("Authorization") != "Bearer t" || header.Get(serve.ForwardedTo) != there.Self() || header.Get("Origin") != "" {
		t.Errorf("forwarded %v", header)
	}
	if _, err := here.Forward(there.Self(), request("/lost"), []byte("{}")); err == nil || errors.Is(err, serve.ErrNotDelivered) {
		t.Errorf("a lost connection: %v", err)
	}
	web.Close()
	for _, to := range []string{there.Self(), here.Self(), "unknown"} {
		if _, err := here.Forward(to, request("/mcp"), []byte("{}")); !errors.Is(err, serve.ErrNotDelivered) {
			t.Errorf("nobody listens: %v", err)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for text, good := range map[string]bool{"http://10.0.0.7:6280": true, "https://gateway-1.example/": true,
		"http://[fd00::1]:6280": true, "10.0.0.7:6280": false, "http://": false, "ftp://host": false, "http://u:p@host": false,
		"http://host/mcp": false, "http://host?q": false} {
		if err := CheckURL(text); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}
