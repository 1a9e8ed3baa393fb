package mcpserver_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// cancelled takes a call back and wants the server under test to hear of it.
func cancelled(t *testing.T, c *client) {
	t.Helper()
	mark := c.call("get_transcript", `{"since":0}`).ok().at("/last_number")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(150*time.Millisecond, cancel)
	began := time.Now()
	_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "call_tool", Arguments: json.RawMessage(`{"name":"wait","arguments":{"milliseconds":5000,"steps":1}}`)})
	if err == nil || time.Since(began) > 2*time.Second {
		t.Errorf("a cancelled call = %v after %v", err, time.Since(began))
	}
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		after := c.call("get_transcript", `{"since":`+mark+`,"only":"notification"}`).ok()
		if after.at("/frames/0/method") == "notifications/cancelled" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server under test was not told: %s", after.at("/frames"))
		}
	}
}
