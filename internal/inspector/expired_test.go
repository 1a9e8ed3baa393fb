package inspector

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// forgetful serves one tool over HTTP, in sessions that it forgets when session changes.
func forgetful(session *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := mcp.Read(wire.Frame{Body: body})
		known := r.Header.Get("Mcp-Session-Id") == fmt.Sprint(session.Load())
		w.Header().Set("Content-Type", "application/json")
		result := `{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case m.Method == "server/discover":
			w.WriteHeader(http.StatusBadRequest)
			return
		case m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", fmt.Sprint(session.Load()))
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"forgetful",` +
				`"version":"1"}}`
		case !known:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"session not found"}}`, m.ID)
			return
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		case m.Method == "tools/call":
			result = `{"content":[]}`
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}
}

// A call in a session that the server has forgotten makes the connection expired; connecting again makes it usable.
func TestExpiredSession(t *testing.T) {
	var session atomic.Int32
	session.Store(1)
	web := httptest.NewServer(forgetful(&session))
	t.Cleanup(web.Close)
	home := t.TempDir()
	system := target.System{System: config.System{GOOS: "linux", Home: home, Dir: home,
		Lookup: func(string) (string, bool) { return "", false }}}
	i := New(&workbench.Workbench{Version: "test", System: system, Secrets: redact.New()}, Options{})
	t.Cleanup(i.Shutdown)
	added, err := i.Add(view.NewServer{Name: "forgetful", URL: web.URL})
	if err != nil {
		t.Fatal(err)
	}
	link, err := i.Connect(view.NewLink{Server: added.ID})
	if err != nil {
		t.Fatal(err)
	}
	await := func(state string) view.Link {
		t.Helper()
		for after := 0; ; {
			events, next := i.Journal().After(after)
			if now, err := i.Link(link.ID); err != nil || now.State == state || now.State == view.Failed {
				if err != nil || now.State != state {
					t.Fatalf("the connection is %s (%v), want %s", now.State, err, state)
				}
				return now
			}
			for _, e := range events {
				after = e.ID
			}
			select {
			case <-next:
			case <-t.Context().Done():
				t.Fatal("the test is over")
			}
		}
	}
	call := func() view.Call {
		t.Helper()
		one, err := i.Call(t.Context(), link.ID, view.NewCall{Name: "t"})
		if err != nil {
			t.Fatal(err)
		}
		for after := 0; one.Status == view.Running; {
			events, next := i.Journal().After(after)
			if one, err = i.OneCall(link.ID, one.N); err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				after = e.ID
			}
			if one.Status == view.Running {
				<-next
			}
		}
		return one
	}
	await(view.Open)
	if one := call(); !one.OK {
		t.Fatalf("the first call: %+v", one.Verdicts)
	}
	session.Add(1)
	if one := call(); one.Status != view.CallFailed || one.Verdicts.Transport == nil ||
		one.Verdicts.Transport.Kind != view.KindExpired || one.Verdicts.Status != 0 {
		t.Errorf("the call in the forgotten session: %s %+v", one.Status, one.Verdicts)
	}
	if now := await(view.Expired); now.Error == nil || now.Error.Kind != view.KindExpired {
		t.Errorf("the connection: %+v", now.Error)
	}
	if _, err := i.Call(t.Context(), link.ID, view.NewCall{Name: "t"}); err == nil {
		t.Error("a call was begun in a session that has expired")
	}
	if _, err := i.Reconnect(link.ID); err != nil {
		t.Fatal(err)
	}
	await(view.Open)
	if one := call(); !one.OK {
		t.Errorf("the call in the new session: %+v", one.Verdicts)
	}
}
