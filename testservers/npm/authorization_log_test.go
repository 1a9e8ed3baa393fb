package npm

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A requestLog is the log of proxies in front of servers.
type requestLog struct {
	mu       sync.Mutex
	requests []*http.Request
	times    []time.Time
}

// A front is such a proxy.
type front struct {
	*httptest.Server
	behind   *url.URL // set before the first request
	keepHost bool
}

func (l *requestLog) front(t *testing.T) *front {
	f := &front{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		l.requests, l.times = append(l.requests, r.Clone(r.Context())), append(l.times, time.Now())
		l.mu.Unlock()
		(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(f.behind)
			if f.keepHost {
				p.Out.Host = p.In.Host
			}
		}}).ServeHTTP(w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

// A run with the defaults in real time, with the log of every request to the server and to its authorization server: less
// than 60 requests, at most one per second, and none that changes anything or has the token of anybody.
func TestDefaultRunIsSafe(t *testing.T) {
	if os.Getenv("MCPTEST_FULL") == "" {
		t.Skip("left out: it sends one request per second; MCPTEST_FULL runs it")
	}
	t.Parallel()
	in := Require(t)
	var log requestLog
	issuer, server := log.front(t), log.front(t)
	issuer.keepHost = true // its metadata has the URL of the request
	issuer.behind, _ = url.Parse(in.oidcProvider(t, issuer.URL))
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	gateway := protectedGateway(t, func(string) map[string]any { return ofOIDC(issuer.URL)(server.URL + "/mcp") },
		"--audit", audit)
	server.behind, _ = url.Parse(strings.TrimSuffix(gateway, "/mcp"))
	log.requests, log.times = nil, nil // without those of the gateway for keys
	const token = "token-of-the-user"
	out, err := conform.Run(t.Context(), wire.Target{URL: server.URL + "/mcp",
		Header: http.Header{"Authorization": {"Bearer " + token}}},
		&conform.Options{Version: "1", Auth: &conform.AuthOptions{}, Timeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		if status := r.Status(); status != finding.Passed && status != finding.Skipped {
			t.Errorf("%s: %s %s%v", r.Rule, status, r.Broken, r.Findings)
		}
	}
	log.judge(t, out.Requests, token)
	if calls, err := os.ReadFile(audit); err != nil || len(calls) > 0 {
		t.Errorf("the audit log of the gateway has calls: %s %v", calls, err)
	}
}

// judge expects what is safe on a production server.
func (l *requestLog) judge(t *testing.T, reported int, token string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	ours := 0
	var last time.Time
	for i, r := range l.requests {
		if !strings.HasPrefix(r.UserAgent(), "mcptest/1 (conform --auth)") {
			continue // the gateway fetches keys
		}
		ours++
		if gap := l.times[i].Sub(last); gap < time.Second {
			t.Errorf("%s %s: %v after the request before", r.Method, r.URL, gap)
		}
		last = l.times[i]
		if r.Method != http.MethodGet && strings.TrimSuffix(r.URL.Path, "/") != "/mcp" {
			t.Errorf("%s %s: only the MCP server may receive more than GET", r.Method, r.URL)
		}
		if strings.Contains(r.Header.Get("Authorization")+r.URL.RawQuery, token) {
			t.Errorf("%s %s: the token of the user was sent", r.Method, r.URL)
		}
		t.Logf("%s %s %.60s", r.Method, r.URL, r.Header.Get("Authorization"))
	}
	if ours != reported || ours >= 60 || ours < 15 {
		t.Errorf("%d requests arrived and %d are reported, expected the same, less than 60", ours, reported)
	}
}
