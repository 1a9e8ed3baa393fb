package demo

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

func TestFlawedDiesInTheModernEra(t *testing.T) {
	w := dial(t, "demo-flawed")
	w.send(modernRequest("1", "tools/call", `"name":"divide","arguments":{"a":1,"b":0},`, `{}`))
	if line, err := w.out.ReadString('\n'); err == nil {
		t.Errorf("answer %s; want the stream to end", line)
	}
	var died *Crash
	if err := <-w.done; !errors.As(err, &died) || died.Code != 2 || !strings.Contains(died.Message, "divide by zero") {
		t.Errorf("Serve = %v; want that it died", err)
	}
	w.done <- nil // for the cleanup
}

func panics(context.Context, *rawCall) (string, *serve.Error) { panic("oh no") }

// The panic of a call is the end of the server, never of the process that it shares.
func TestPanicEndsTheServerAlone(t *testing.T) {
	server := &rawServer{info: `{}`, tools: []rawTool{{"panics", define("panics", "", noProperties, ""), panics}}}
	call := modernRequest("1", "tools/call", `"name":"panics",`, `{}`) + "\n"
	var died *Crash
	if err := server.serve(t.Context(), strings.NewReader(call), &strings.Builder{}); !errors.As(err, &died) ||
		!strings.Contains(died.Message, "oh no") {
		t.Errorf("serve = %v; want that it died", err)
	}
	handler := recoverError(func(context.Context, string, mcp.Request) (mcp.Result, error) { panic("oh no") })
	if _, err := handler(t.Context(), "tools/call", nil); err == nil || err.Error() != "tools/call panicked: oh no" {
		t.Errorf("caught: %v; want the panic as an error", err)
	}
}
