package check

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/workbench"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// A server that rejects a second client fails, although little of it could be tested.
func TestOneClient(t *testing.T) {
	t.Parallel()
	server := &exemplar.Server{}
	next := server.Handler()
	var taken atomic.Bool
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"initialize"`)) && taken.Swap(true) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"taken"},"id":null}`)
			return
		}
		next.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		web.CloseClientConnections()
		web.Close()
	})
	r, text := checked(t, &Input{Connection: workbench.Connection{Target: web.URL, Protocol: "2025-11-25"}})
	if r.Word != CheckFailed || !strings.Contains(text, "error     HTTP-045  server must accept more than one client") {
		t.Errorf("verdict %s, expected HTTP-045 to fail it:\n%s", r.Word, text)
	}
}

// A server that serves one session at a time is tested in full: each engine gets the only session.
func TestOneSession(t *testing.T) {
	t.Parallel()
	for name, newestWins := range map[string]bool{"rejects a second client": false, "ends the session of the first client": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &exemplar.Server{}
			web := httptest.NewServer(oneSession(server.Handler(), newestWins))
			t.Cleanup(func() {
				server.Close()
				web.CloseClientConnections()
				web.Close()
			})
			_, text := checked(t, &Input{Connection: workbench.Connection{Target: web.URL, Protocol: "2025-11-25"}})
			if !strings.Contains(text, "warning   HTTP-045") || strings.Contains(text, "incomplete") {
				t.Errorf("expected a warning of HTTP-045 and each area to be graded:\n%s", text)
			}
		})
	}
}

// oneSession keeps one session open: it rejects a second client, or ends the session of the first one.
func oneSession(next http.Handler, newestWins bool) http.Handler {
	var mu sync.Mutex
	var open string
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		starts, id := bytes.Contains(body, []byte(`"initialize"`)), r.Header.Get("Mcp-Session-Id")
		mu.Lock()
		ended := id != "" && id != open
		if starts || r.Method == http.MethodDelete {
			defer mu.Unlock()
		} else {
			mu.Unlock()
		}
		switch {
		case ended && newestWins:
			http.Error(w, "session not found", http.StatusNotFound)
			return
		case starts && open != "" && !newestWins:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"in use"},"id":null}`)
			return
		}
		next.ServeHTTP(w, r)
		switch {
		case starts:
			open = w.Header().Get("Mcp-Session-Id")
		case r.Method == http.MethodDelete && id == open:
			open = ""
		}
	})
}
