package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A server that takes long to start is shown with what is started and how long, and its tools appear when it is there.
func TestSlowStart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("waits for a file with sh")
	}
	release := filepath.Join(t.TempDir(), "release")
	in := inspect(t, "--", "sh", "-c", `until [ -e "$1" ]; do sleep 0.1; done; exec "$2" demo-guide`, "sh", release, program)
	p := open(t, in.address)
	p.says("[data-testid=connection-state][data-state=connecting]", "starting: sh")
	p.says("[data-testid=loading]", "Waiting for the connection")
	p.says("main .empty", "starting: sh")
	p.until(`/, [1-9]\d* s/.test(document.querySelector("[data-testid=starting]")?.textContent)`)
	if err := os.WriteFile(release, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.there(`#tools [role=option]`)
	p.there("[data-testid=connection-state][data-state=ready]")
	p.gone("[data-testid=loading]")
}

// A session that the server has forgotten is expired, and one click brings it back.
func TestExpiredSessionOnThePage(t *testing.T) {
	var session atomic.Int32
	session.Store(1)
	web := httptest.NewServer(forgetful(&session))
	t.Cleanup(web.Close)
	p := openTools(t, web.URL)
	p.choose("t")
	session.Store(2)
	p.click(`[data-testid=run]`)
	p.says("[data-testid=connection-state][data-state=expired]", "session expired")
	p.size(390, 844)
	p.clickText("[data-testid=connection-state] button", "Reconnect")
	p.there("[data-testid=connection-state][data-state=ready]")
	p.size(1440, 900)
	p.click(`[data-testid=run]`)
	p.there("[data-verdict=Transport].good")
}

// forgetful serves one tool over HTTP, in sessions that it forgets when session changes.
func forgetful(session *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := mcp.Read(wire.Frame{Body: body})
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
		case r.Header.Get("Mcp-Session-Id") != fmt.Sprint(session.Load()):
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
