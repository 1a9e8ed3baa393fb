package frontend

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A structured result that is not what its tool promises goes through untouched and is told in the log and to the
// audit; a result that says that the tool failed is never judged.
func TestOutputIsCheckedAndUntouched(t *testing.T) {
	var log lockedBuffer
	mismatches := make(chan bool, 20)
	invoker := &invoke.Invoker{Log: slog.New(slog.NewTextHandler(&log, nil)),
		Audit: func(r invoke.Record) { mismatches <- r.Mismatch }}
	tools := map[string]string{
		"good":    `{"content":[],"structuredContent":{"n":1}}`,
		"wrong":   `{"content":[],"structuredContent":{"n":"c4nary"},"extra":1.0}`,
		"missing": `{"content":[{"type":"text","text":"no structure"}]}`,
		"failed":  `{"content":[],"structuredContent":{"n":"whatever"},"isError":true}`,
	}
	server := &toy{tools: map[string]func(*toyCall) string{},
		output: `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`}
	for name, result := range tools {
		server.tools[name] = func(*toyCall) string { return result }
	}
	r := newRigWith(t, invoker, All, nil, map[string]wire.Target{"a": inProcess(server)})
	s := r.dial(t, "2025-11-25", "ada", mcp.Options{})
	names(t, s)
	for name, want := range map[string]bool{"good": false, "wrong": true, "missing": true, "failed": false} {
		if got := call(t, s, "a__"+name, `{}`); got != tools[name] {
			t.Errorf("%s: got %s, want %s", name, got, tools[name])
		}
		if got := <-mismatches; got != want {
			t.Errorf("%s: told as a mismatch: %v, want %v", name, got, want)
		}
	}
	for _, want := range []string{"level=WARN", "type=OutputError",
		"the result of a/wrong violates its output schema: n (type)", "a/missing"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log %s\nhas no %q", &log, want)
		}
	}
	if strings.Contains(log.String(), "c4nary") || strings.Contains(log.String(), "a/failed violates") {
		t.Errorf("the log tells a value, or judges a failure: %s", &log)
	}
}
