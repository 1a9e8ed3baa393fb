package frontend

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// glass starts a transparent gateway before a server.
func glass(t *testing.T, run func(context.Context, io.Reader, io.Writer) error) *rig {
	t.Helper()
	front := NewTransparent(func(o *upstream.Options) *upstream.Server {
		return upstream.Start("only",
			wire.Target{Serve: run}, o)
	})
	t.Cleanup(front.Close)
	e, url := listen(t, front)
	return &rig{endpoint: e, url: url}
}

// A transparent gateway changes no name; what belongs to no request reaches other callers only if it is about lists.
func TestTransparentTellsCallersApart(t *testing.T) {
	change := make(chan func(string), 1)
	r := glass(t, (&toy{tools: map[string]func(*toyCall) string{"echo": echoing},
		opening: func(say func(string)) { change <- say }}).serve)
	heard := make(chan string, 20)
	listen := func(caller string) *mcp.Session {
		return r.dial(t, "2025-11-25", caller, mcp.Options{OnNotification: func(m mcp.Message) {
			heard <- caller + " " +
				m.Method + " " + string(m.Params)
		}})
	}
	ada := listen("ada")
	if got := call(t, ada, "echo", `{"n":1.0}`); got != `{"content":[],"structuredContent":{"n":1.0}}` {
		t.Errorf("got %s", got)
	}
	say := <-change
	private := `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"1","status":"working"}}`
	say(private)
	if got := <-heard; !strings.HasPrefix(got, "ada notifications/tasks/status") {
		t.Errorf("heard %s, want the status", got)
	}
	bob := listen("bob")
	names(t, bob)
	say(private)
	say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"gateway-1","progress":1}}`)
	say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	for range 2 {
		select {
		case got := <-heard:
			if !strings.Contains(got, toolsChanged) {
				t.Errorf("heard %s, want the change of the list alone", got)
			}
		case <-time.After(hang):
			t.Fatal("the change of the list was not told")
		}
	}
}
