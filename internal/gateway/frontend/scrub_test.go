package frontend

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// leak is what a tool lets slip.
const leak = "sk-live-" + "abc4defghijklmnopqrs7tuvwx"

// leaking is a server whose tools fail with a secret: as a result, as an error, and with one in a result that worked.
func leaking() *toy {
	return &toy{tools: map[string]func(*toyCall) string{
		"boom": func(*toyCall) string {
			return `{"content":[{"type":"text","text":"Error calling tool 'boom': password=` + leak +
				`"}],"isError":true}`
		},
		"fine": func(*toyCall) string {
			return `{"content":[{"type":"text","text":"key ` + leak + `"},{"type":"image","data":"` + leak +
				`","mimeType":"image/png"}],` +
				`"structuredContent":{"n":1.0,"key":"` + leak + `"}}`
		},
	}}
}

// invoke_tool makes an error of a result in which the tool says that it failed: with its type, the tool and the
// context, without the secret. A direct call passes it on as it came. Both are logged.
func TestFailedResultsAreWrapped(t *testing.T) {
	var log lockedBuffer
	invoker := &invoke.Invoker{Timeout: 20 * time.Second, Log: slog.New(slog.NewTextHandler(&log, nil))}
	r := newRigWith(t, invoker, Both, nil, map[string]wire.Target{"a": inProcess(leaking())})
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		if got := call(t, s, "a__boom", `{}`); !strings.Contains(got, leak) ||
			strings.Contains(got, "ToolExecutionError") {
			t.Errorf("%s: a direct call: %s, want the result as it came", protocol, got)
		}
		got := call(t, s, "invoke_tool", `{"name":"a__boom","arguments":{"x":1}}`)
		for _, want := range []string{`"isError":true`, `"type":"ToolExecutionError"`, `"tool":"a/boom"`,
			`"context":"caller \"ada\", trace`, "Error calling tool 'boom'"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s, want %s", protocol, got, want)
			}
		}
		if strings.Contains(got, leak) {
			t.Errorf("%s: the secret is in %s", protocol, got)
		}
		if got := call(t, s, "invoke_tool", `{"name":"a__fine"}`); !strings.Contains(got, leak) {
			t.Errorf("%s: a result that is no error: %s, want it as it came", protocol, got)
		}
	}
	if text := log.String(); strings.Count(text, "Error calling tool") != 4 || strings.Contains(text, leak) {
		t.Errorf("the log has\n%s\nwant the error of each call, without the secret", text)
	}
}

// With the policy, secrets are removed from all results of tools; all else stays as it came.
func TestResultsAreRedacted(t *testing.T) {
	invoker := &invoke.Invoker{Timeout: 20 * time.Second, RedactResults: true}
	r := newRigWith(t, invoker, All, nil, map[string]wire.Target{"a": inProcess(leaking())})
	s := r.dial(t, "2025-11-25", "ada", mcp.Options{})
	if got := call(t, s, "a__boom", `{}`); strings.Contains(got, leak) ||
		!strings.Contains(got, "Error calling tool 'boom'") {
		t.Errorf("an error: %s", got)
	}
	want := `{"content":[{"type":"text","text":"key [redacted]"},{"type":"image","data":"` + leak +
		`","mimeType":"image/png"}],"structuredContent":{"n":1.0,"key":"[redacted]"}}`
	if got := call(t, s, "a__fine", `{}`); got != want {
		t.Errorf("a result: %s\nwant %s", got, want)
	}
	invoker.SetLimits(invoke.Limits{Timeout: 20 * time.Second})
	if got := call(t, s, "a__fine", `{}`); !strings.Contains(got, `"key `+leak) {
		t.Errorf("without the policy: %s", got)
	}
}
