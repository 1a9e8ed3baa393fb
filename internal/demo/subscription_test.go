package demo

import (
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

func TestLegacySubscriptions(t *testing.T) {
	w := dial(t, "demo")
	w.open(spec.November2025)
	w.ask(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"demo://note"}}`)
	write := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write_note","arguments":{"text":"new"}}}`
	if got := w.ask(write); got.Method != "notifications/resources/updated" ||
		!strings.Contains(got.raw, `"uri":"demo://note"`) {
		t.Errorf("first after write_note = %s; want the update", got.raw)
	}
	w.recv()
	if got := w.ask(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"demo://note"}}`); !strings.Contains(got.raw, `"text":"new"`) {
		t.Errorf("note = %s", got.raw)
	}
	w.ask(`{"jsonrpc":"2.0","id":4,"method":"resources/unsubscribe","params":{"uri":"demo://note"}}`)
	if got := w.ask(write); string(got.ID) != "2" {
		t.Errorf("after unsubscribing: %s; want no update", got.raw)
	}
}

func TestLegacyListChanged(t *testing.T) {
	w := dial(t, "demo")
	w.open(spec.November2025)
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"flash_tool",` +
		`"arguments":{"milliseconds":100}}}`)
	seen := []string{}
	for range 3 {
		r := readReply(t, w.recv())
		seen = append(seen, r.Method)
		if len(seen) == 1 {
			if got := w.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"flashed"}}`); got.text() != "Hello for a moment." {
				t.Errorf("flashed = %s", got.raw)
			}
		}
	}
	if strings.Count(strings.Join(seen, " "), "notifications/tools/list_changed") != 2 {
		t.Errorf("messages %q; want two list_changed and the result", seen)
	}
}

// TestListen opens two streams on one connection; each gets its own and only what it asked for.
func TestListen(t *testing.T) {
	w := dial(t, "demo")
	ack := w.ask(modernRequest(`"a"`, "subscriptions/listen",
		`"notifications":{"resourceSubscriptions":["demo://note","demo://nowhere"],"promptsListChanged":true},`, "{}"))
	if ack.Method != "notifications/subscriptions/acknowledged" ||
		!strings.Contains(ack.raw, `{"resourceSubscriptions":["demo://note"]}`) ||
		!strings.Contains(ack.raw, `"io.modelcontextprotocol/subscriptionId":"a"`) {
		t.Errorf("acknowledgement = %s; want the part that exists", ack.raw)
	}
	ack = w.ask(modernRequest("7", "subscriptions/listen", `"notifications":{"toolsListChanged":true},`, "{}"))
	if !strings.Contains(ack.raw, `"io.modelcontextprotocol/subscriptionId":7`) ||
		!strings.Contains(ack.raw, `{"toolsListChanged":true}`) {
		t.Errorf("acknowledgement = %s", ack.raw)
	}
	note := modernRequest("8", "tools/call", `"name":"write_note","arguments":{"text":"x"},`, "{}")
	if got := w.ask(note); got.Method != "notifications/resources/updated" ||
		!strings.Contains(got.raw, `subscriptionId":"a"`) {
		t.Errorf("after write_note: %s; want the update for a", got.raw)
	}
	w.recv()
	if got := w.ask(modernRequest("9", "tools/call", `"name":"flash_tool","arguments":{"milliseconds":60},`,
		"{}")); got.Method !=
		"notifications/tools/list_changed" || !strings.Contains(got.raw, `subscriptionId":7`) {
		t.Errorf("after flash_tool: %s; want the change for 7", got.raw)
	}
	w.recv()
	w.recv()
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`)
	if got := w.ask(modernRequest("10", "tools/list", "", "{}")); string(got.ID) != "10" {
		t.Errorf("after cancelling a: %s; want no result for it", got.raw)
	}
	// the subscription ends beside the next requests: a call that is made at once may still cause an update
	for start := time.Now(); ; {
		got := w.ask(note)
		if string(got.ID) == "8" {
			return
		}
		if time.Since(start) > 10*time.Second {
			t.Fatalf("after cancelling a: %s; want no update", got.raw)
		}
		w.recv() // the response to the call
	}
}

func TestLogging(t *testing.T) {
	w := dial(t, "demo")
	call := func(level string) string {
		return modernRequest("1", "tools/call", `"name":"log","arguments":{"level":"`+level+`","text":"hi"},`, "{}")
	}
	if got := w.ask(call("emergency")); string(got.ID) != "1" {
		t.Errorf("without a level: %s; want no message", got.raw)
	}
	asked := func(s string) string {
		return strings.Replace(s, `"_meta":{`, `"_meta":{"`+serve.MetaLogLevel+`":"warning",`, 1)
	}
	if got := w.ask(asked(call("error"))); got.Method != "notifications/message" ||
		!strings.Contains(got.raw, `"data":"hi"`) {
		t.Errorf("error with level warning: %s; want the message", got.raw)
	}
	w.recv()
	if got := w.ask(asked(call("notice"))); string(got.ID) != "1" {
		t.Errorf("notice with level warning: %s; want no message", got.raw)
	}
}
