package frontend

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// What a caller sees with auto depends on the length of the definitions that it may use; all tools can be called by
// their own names either way.
func TestExposeAuto(t *testing.T) {
	policy, err := access.New(access.Config{Callers: []access.CallerConfig{
		{Name: "few", TokenSHA256: strings.Repeat("a", 64), Allow: []string{"a/echo"}},
		{Name: "many", TokenSHA256: strings.Repeat("b", 64)}}})
	if err != nil {
		t.Fatal(err)
	}
	long := `{"type":"object","description":"` + strings.Repeat("x", DefaultBudget/3) + `"}`
	r := newRig(t, Auto, policy, map[string]wire.Target{"a": inProcess(&toy{schema: long,
		tools: map[string]func(*toyCall) string{"echo": echoing, "other": echoing, "third": echoing}})})
	few, many := r.dial(t, "2025-11-25", "few", mcp.Options{}), r.dial(t, "2026-07-28", "many", mcp.Options{})
	eventually(t, "the tools", func() bool { return slices.Equal(names(t, few), []string{"a__echo"}) })
	if got := names(t, many); !slices.Contains(got, "catalog_search") || slices.Contains(got, "a__echo") {
		t.Errorf("above the budget: %v, want the meta-tools", got)
	}
	for s, name := range map[*mcp.Session]string{few: "few", many: "many"} {
		if got := call(t, s, "a__echo", `{"n":1}`); !strings.Contains(got, `{"n":1}`) {
			t.Errorf("%s: %s, want the result of the tool", name, got)
		}
		if got := callMeta(t, s, "invoke_tool", `{"name":"a__echo","arguments":{"n":2}}`); !strings.Contains(got,
			`{"n":2}`) {
			t.Errorf("%s: %s, want the result of the tool", name, got)
		}
	}
	if got := call(t, few, "a__other", `{}`); !strings.Contains(got, "Unknown tool") {
		t.Errorf("a tool that the caller may not use: %s", got)
	}
}
