package hostrun

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A bridged is a server over HTTP and a host that uses it through a bridge.
type bridged struct {
	in   io.WriteCloser
	out  *bufio.Scanner
	mu   sync.Mutex
	seen []string // method, session, revision and name of each request in its order
}

func newBridged(t *testing.T, answer func(w http.ResponseWriter, method string)) *bridged {
	t.Helper()
	b := &bridged{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m message
		_ = json.NewDecoder(r.Body).Decode(&m)
		if r.Method != http.MethodPost {
			m.Method = r.Method
		}
		b.mu.Lock()
		b.seen = append(b.seen, strings.TrimSpace(fmt.Sprintln(m.Method, r.Header.Get("Mcp-Session-Id"),
			r.Header.Get("Mcp-Protocol-Version"), r.Header.Get("Mcp-Name"), r.Header.Get("Mcp-Param-Place"))))
		b.mu.Unlock()
		answer(w, m.Method)
	}))
	hostIn, in := io.Pipe()
	out, hostOut := io.Pipe()
	b.in, b.out = in, bufio.NewScanner(out)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = overHTTP(wire.Target{URL: server.URL})(t.Context(), hostIn, hostOut)
		_ = hostOut.Close()
	}()
	t.Cleanup(func() { _ = in.Close(); <-done; server.Close() })
	return b
}

// ask sends a request and returns the next message of the server.
func (b *bridged) ask(t *testing.T, line string) string {
	t.Helper()
	fmt.Fprintln(b.in, line)
	if !b.out.Scan() {
		t.Fatalf("no message after %s", line)
	}
	return b.out.Text()
}

// TestBridge expects the headers of each revision, and messages in their order.
func TestBridge(t *testing.T) {
	b := newBridged(t, func(w http.ResponseWriter, method string) {
		switch method {
		case "initialize": // the header comes with an event that has no message
			w.Header().Set("Mcp-Session-Id", "s1")
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "id: 1\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":"+
				"{\"protocolVersion\":\"2025-11-25\"}}\n\n")
		case "tools/list":
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"get","inputSchema":{"type":`+
				`"object","properties":{"at":{"type":"string","x-mcp-header":"Place"}}}}]}}`)
		case "tools/call":
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":3,"result":{}}`)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})
	got := b.ask(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`)
	if want := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`; got != want {
		t.Errorf("got %s, want %s in one line", got, want)
	}
	fmt.Fprintln(b.in, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	b.ask(t, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	b.ask(t, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get","arguments":{"at":"here"},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	_ = b.in.Close()
	if b.out.Scan() {
		t.Errorf("one more message: %s", b.out.Text())
	}
	want := []string{"initialize", "notifications/cancelled s1 2025-11-25", "tools/list s1 2025-11-25",
		"tools/call  2026-07-28 get here", "DELETE s1 2025-11-25"}
	if strings.Join(b.seen, "\n") != strings.Join(want, "\n") {
		t.Errorf("requests\n%s\nwant\n%s", strings.Join(b.seen, "\n"), strings.Join(want, "\n"))
	}
}

// TestBridgeFails expects an error for each request that the server does not answer: a host would wait for it.
func TestBridgeFails(t *testing.T) {
	b := newBridged(t, func(w http.ResponseWriter, method string) {
		switch method {
		case "status":
			http.Error(w, "no", http.StatusUnauthorized)
		case "no-id":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`)
		case "silent":
			w.WriteHeader(http.StatusAccepted)
		case "cut":
			panic(http.ErrAbortHandler)
		}
	})
	for method, want := range map[string]string{
		"status": `"code":-32603,"message":"HTTP 401 Unauthorized`,
		"no-id":  `"error":{"code":-32000,"message":"no session"}`,
		"silent": "without a response",
		"cut":    `"code":-32603`,
	} {
		got := b.ask(t, `{"jsonrpc":"2.0","id":"x","method":"`+method+`"}`)
		if !strings.Contains(got, want) || !strings.Contains(got, `"id":"x"`) {
			t.Errorf("%s: got %s, want %s with the ID", method, got, want)
		}
	}
}
