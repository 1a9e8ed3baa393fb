package demo

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// TestUnknownFutureRevision asks for a revision that nobody knows yet. What was agreed on counts, not what was asked
// for.
func TestUnknownFutureRevision(t *testing.T) {
	w := dial(t, "demo")
	if got := w.ask(initialize("2099-01-01", elicits)); !strings.Contains(got.raw, `"protocolVersion":"2025-11-25"`) {
		t.Errorf("initialize = %s", got.raw)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_user",` +
		`"arguments":{"question":"?"}}}`); got.Method != "elicitation/create" {
		t.Errorf("ask_user = %s; want a request of the server's", got.raw)
	}

	url := listen(t, "demo")
	headers := openHTTP(t, url, "2099-01-01")
	a := do(t, "POST", url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",`+
		`"arguments":{"message":"x"}}}`, headers...)
	if a.text() != "x" || strings.Contains(a.body, "resultType") {
		t.Errorf("echo = %s; want a result of the legacy era", a.body)
	}
}

func TestNoChangesBeforeInitialized(t *testing.T) {
	w := dial(t, "demo")
	w.ask(initialize(spec.November2025, "{}"))
	got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"flash_tool",` +
		`"arguments":{"milliseconds":50}}}`)
	if string(got.ID) != "1" {
		t.Errorf("before notifications/initialized: %s; want the result alone", got.raw)
	}
}
