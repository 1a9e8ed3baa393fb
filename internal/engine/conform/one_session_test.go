package conform

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// singleSession rejects initialize while a session is open, until that is deleted.
func singleSession(next http.Handler) http.Handler {
	var mu sync.Mutex
	var taken string
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !bytes.Contains(body, []byte(`"initialize"`)) {
			next.ServeHTTP(w, r)
			mu.Lock()
			defer mu.Unlock()
			if r.Method == http.MethodDelete && r.Header.Get("Mcp-Session-Id") == taken {
				taken = ""
			}
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if taken != "" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"in use"},"id":null}`)
			return
		}
		next.ServeHTTP(w, r)
		taken = w.Header().Get("Mcp-Session-Id")
	})
}

// newestSession ends the session before when a client connects.
func newestSession(next http.Handler) http.Handler {
	var mu sync.Mutex
	var newest string
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		id := r.Header.Get("Mcp-Session-Id")
		mu.Lock()
		ended := id != "" && id != newest
		mu.Unlock()
		if ended {
			http.Error(w, "session not found", http.StatusNotFound)
			return
		}
		next.ServeHTTP(w, r)
		if bytes.Contains(body, []byte(`"initialize"`)) && w.Header().Get("Mcp-Session-Id") != "" {
			mu.Lock()
			newest = w.Header().Get("Mcp-Session-Id")
			mu.Unlock()
		}
	})
}

// overload rejects the second initialize, whatever sessions there are.
func overload(next http.Handler) http.Handler {
	var mu sync.Mutex
	count := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"initialize"`)) {
			mu.Lock()
			count++
			rejected := count == 2
			mu.Unlock()
			if rejected {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"busy"},"id":null}`)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func behind(t *testing.T, change func(http.Handler) http.Handler) wire.Target {
	server := &exemplar.Server{}
	web := httptest.NewServer(change(server.Handler()))
	t.Cleanup(func() {
		server.Close()
		web.CloseClientConnections()
		web.Close()
	})
	return wire.Target{Name: "server", URL: web.URL}
}

// TestOneSession runs all checks on correct servers that serve one session at a time: that is a warning, and the other
// checks run one after the other.
func TestOneSession(t *testing.T) {
	t.Parallel()
	t.Run("rejects", func(t *testing.T) {
		t.Parallel()
		servesOne(t, singleSession)
	})
	t.Run("replaces", func(t *testing.T) {
		t.Parallel()
		servesOne(t, newestSession)
	})
}

func servesOne(t *testing.T, change func(http.Handler) http.Handler) {
	out, err := judged(t, behind(t, change), calm("2025-11-25"))
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, r := range out.Report.Results {
		switch r.Status() {
		case finding.Passed:
			passed++
		case finding.Broken, finding.Failed:
			if r.Rule != "HTTP-045" || len(r.Findings) != 1 || r.Findings[0].Severity != finding.Warning ||
				!strings.Contains(r.Findings[0].Message, "one session at a time") {
				t.Errorf("%s: %s%s", r.Rule, r.Broken, shown(r.Findings))
			}
		}
	}
	if out.OneAtATime != "session" || passed < 100 {
		t.Errorf("one at a time: %q, %d checks passed; expected session, and more than 100", out.OneAtATime, passed)
	}
}

// TestOverload runs HTTP-045 on a server that rejected one client because of its load.
func TestOverload(t *testing.T) {
	t.Parallel()
	if got := onlyStatus(t, behind(t, overload), "HTTP-045"); got != finding.Passed {
		t.Errorf("got %s, expected %s", got, finding.Passed)
	}
}
