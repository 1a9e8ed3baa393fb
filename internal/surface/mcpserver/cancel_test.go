package mcpserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// cancelled takes a call back once the server under test has it, and wants it to hear of that.
func cancelled(t *testing.T, c *client) {
	t.Helper()
	mark := c.call("get_transcript", `{"since":0}`).ok().at("/last_number")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "call_tool",
			Arguments: json.RawMessage(`{"name":"wait","arguments":{"milliseconds":5000,"steps":1}}`)})
		ended <- err
	}()
	crossed(t, c, mark, "request", "tools/call")
	cancel()
	if err := <-ended; err == nil {
		t.Error("a cancelled call was answered")
	}
	crossed(t, c, mark, "notification", "notifications/cancelled")
}

// crossed waits until a frame of the method is among those of a kind since the mark.
func crossed(t *testing.T, c *client, mark, kind, method string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		frames := c.call("get_transcript", `{"since":`+mark+`,"only":"`+kind+`"}`).ok()
		if strings.Contains(frames.at("/frames"), `"method":"`+method+`"`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s on the wire: %s", method, frames.at("/frames"))
		}
	}
}
