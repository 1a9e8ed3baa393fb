package frontend

import (
	"slices"
	"strings"
	"sync/atomic"
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

// When the tools of a server grow over the budget, clients of both eras are notified and see the meta-tools, and the
// other way around. What a client has listed before can still be called.
func TestExposeAutoSwitches(t *testing.T) {
	var many atomic.Bool
	changed := make(chan func(string), 1)
	tools := map[string]func(*toyCall) string{"one": echoing, "two": echoing, "three": echoing, "four": echoing}
	r := newRig(t, Auto, nil, map[string]wire.Target{"a": inProcess(&toy{tools: tools,
		schema: `{"type":"object","description":"` + strings.Repeat("x", DefaultBudget/3) + `"}`,
		listed: func() []string {
			if many.Load() {
				return []string{"one", "two", "three", "four"}
			}
			return []string{"one", "two"}
		},
		opening: func(say func(string)) { changed <- say }})})
	heard := map[string]*atomic.Int64{}
	clients := map[string]*mcp.Session{}
	for _, protocol := range protocols {
		count := &atomic.Int64{}
		heard[protocol] = count
		clients[protocol] = r.dial(t, protocol, "ada", mcp.Options{OnNotification: func(m mcp.Message) {
			if m.Method == toolsChanged {
				count.Add(1)
			}
		}})
		if _, err := clients[protocol].Listen(t.Context(), mcp.Filter{Tools: true}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the tools", func() bool {
			return slices.Equal(names(t, clients[protocol]), []string{"a__one", "a__two"})
		})
	}
	say := <-changed
	for _, above := range []bool{true, false} {
		before := map[string]int64{}
		for protocol, count := range heard {
			before[protocol] = count.Load()
		}
		many.Store(above)
		say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		for protocol, s := range clients {
			eventually(t, "the notification", func() bool { return heard[protocol].Load() > before[protocol] })
			if got := names(t, s); slices.Contains(got, "catalog_search") != above || slices.Contains(got, "a__one") == above {
				t.Errorf("%s: above the budget %v: %v", protocol, above, got)
			}
			if got := call(t, s, "a__one", `{"n":1}`); !strings.Contains(got, `{"n":1}`) {
				t.Errorf("%s: a tool that was listed before: %s", protocol, got)
			}
			if got := callMeta(t, s, "invoke_tool", `{"name":"a__two","arguments":{"n":2}}`); !strings.Contains(got,
				`{"n":2}`) {
				t.Errorf("%s: a meta-tool that was listed before: %s", protocol, got)
			}
		}
	}
}
