package forward

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A session that has set no level gets all messages.
func TestLevelOfASession(t *testing.T) {
	f, p := &Forwarder{}, &serve.Peer{}
	info := json.RawMessage(`{"level":"info","data":"x"}`)
	if !f.AcceptsLog(p, info) {
		t.Error("without a level, a message is not accepted")
	}
	f.SetLevel(p, "error")
	if f.AcceptsLog(p, info) || !f.AcceptsLog(p, json.RawMessage(`{"level":"error","data":"x"}`)) {
		t.Error("expected messages from the level on")
	}
}
