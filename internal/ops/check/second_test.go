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
	server := &exemplar.Server{}
	next := server.Handler()
	var mu sync.Mutex
	var open string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		starts := bytes.Contains(body, []byte(`"initialize"`))
		if starts || r.Method == http.MethodDelete {
			mu.Lock()
			defer mu.Unlock()
		}
		if starts && open != "" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","error":{"code":-32000,"message":"in use"},"id":null}`)
			return
		}
		next.ServeHTTP(w, r)
		switch {
		case starts:
			open = w.Header().Get("Mcp-Session-Id")
		case r.Method == http.MethodDelete && r.Header.Get("Mcp-Session-Id") == open:
			open = ""
		}
	}))
	t.Cleanup(func() {
		server.Close()
		web.CloseClientConnections()
		web.Close()
	})
	_, text := checked(t, &Input{Connection: workbench.Connection{Target: web.URL, Protocol: "2025-11-25"}})
	if !strings.Contains(text, "warning   HTTP-045") || strings.Contains(text, "incomplete") {
		t.Errorf("expected a warning of HTTP-045 and each area to be graded:\n%s", text)
	}
}
