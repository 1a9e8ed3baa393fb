package matrix

import (
	"strings"
	"testing"
)

// TestServe has the client of every SDK, in every era, use the tools of mcptest serve to test a server.
func TestServe(t *testing.T) {
	calls := [][2]any{
		{"connect_to_server", map[string]any{"url": "demo"}},
		{"list_tools", map[string]any{}},
		{"call_tool", map[string]any{"name": "echo", "arguments": map[string]any{"message": "gr\u00fcn 1"}}},
		{"run_suite", map[string]any{"suite": "tools: [{tool: echo, args: {message: a}, expect: {equals: a}}]"}},
		{"disconnect", map[string]any{}},
	}
	expected := map[string]string{"list_tools": `"add"`, "call_tool": "gr\u00fcn 1", "run_suite": `"failed":false`}
	for _, c := range clients(t) {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			results := runClient(t, c, job{Command: []string{built.mcptest, "serve"}, Servers: []string{},
				Calls: calls})
			for _, call := range calls {
				op := call[0].(string)
				got := results[[2]string{"", op}]
				if got.Error != "" || !strings.Contains(got.Got, `"success":true`) ||
					!strings.Contains(got.Got, expected[op]) {
					t.Errorf("%s: got %.500s, want success with %s", op, got, expected[op])
				}
			}
		})
	}
}
