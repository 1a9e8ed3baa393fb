package conform

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// TestAuthManners reads the request log of a server after a run with the defaults: one request per second under our own
// name, less than 60 of them, none that changes anything, and no credential that belongs to anyone.
func TestAuthManners(t *testing.T) {
	t.Parallel()
	s := oauth.Start(t)
	sleep, now := newAuthClock().functions()
	var log []*http.Request
	var times []time.Time
	var mu sync.Mutex
	s.OnRequest = func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if len(log)%2 == 0 { // slow to arrive
			_ = sleep(r.Context(), 300*time.Millisecond)
		}
		log, times = append(log, r), append(times, now())
	}
	target := wire.Target{URL: s.URL(""), Header: http.Header{"Authorization": {"Bearer secret-of-the-user"}}}
	out, err := Run(context.Background(), target, &Options{Version: "1.2.3", Timeout: 20 * time.Second,
		Auth: &AuthOptions{sleep: sleep, now: now}})
	if err != nil {
		t.Fatal(err)
	}
	if len(log) != out.Requests || len(log) >= 60 || len(log) < 15 {
		t.Errorf("the server received %d requests, and %d are reported; expected the same, less than 60", len(log),
			out.Requests)
	}
	t.Logf("%d requests in %v", len(log), times[len(times)-1].Sub(times[0]))
	for i, r := range log {
		if agent := r.UserAgent(); agent != "mcptest/1.2.3 (conform --auth)" {
			t.Errorf("%s %s: User-Agent is %q", r.Method, r.URL, agent)
		}
		if i > 0 && times[i].Sub(times[i-1]) < time.Second {
			t.Errorf("%s %s: %v after the request before", r.Method, r.URL, times[i].Sub(times[i-1]))
		}
		if r.Method != http.MethodGet && !strings.HasSuffix(strings.TrimSuffix(r.URL.Path, "/"), "/mcp") {
			t.Errorf("%s %s: only the MCP server may receive more than GET", r.Method, r.URL)
		}
		if strings.Contains(r.Header.Get("Authorization"), "secret-of-the-user") {
			t.Errorf("%s %s: the token of the user was sent", r.Method, r.URL)
		}
	}
}

// TestAuthLimit runs with a lower limit: nothing is sent after it, and the checks say why they did not run.
func TestAuthLimit(t *testing.T) {
	t.Parallel()
	c := &authClient{limit: 2, interval: time.Second}
	c.sleep, c.now = newAuthClock().functions()
	for i := range 4 {
		if err := c.wait(context.Background()); errors.Is(err, errRequestLimit) != (i >= 2) {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
	if c.sent() != 2 {
		t.Errorf("%d requests, expected 2", c.sent())
	}
}
