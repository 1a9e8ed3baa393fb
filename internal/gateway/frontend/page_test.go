package frontend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// numbered is a server with n tools.
func numbered(n int) *toy {
	tools := map[string]func(*toyCall) string{}
	for i := range n {
		tools[fmt.Sprintf("tool%02d", i)] = echoing
	}
	return &toy{tools: tools}
}

// A long list comes in pages, in both eras, each item once, whatever changes between two pages.
func TestPages(t *testing.T) {
	r := newRig(t, Both, nil, map[string]wire.Target{"a": inProcess(numbered(5)), "b": inProcess(numbered(6)),
		"d": {Serve: builtin(t)}})
	r.opts.Page = 4
	var meta []string
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", mcp.Options{})
		all := names(t, s)
		pages, sizes := allPages(t, s, "tools/list")
		if diff := cmp.Diff(pages, all); diff != "" {
			t.Errorf("%s: pages (-got +want):\n%s", protocol, diff)
		}
		meta = all[:slices.Index(all, "a__tool00")]
		if sizes[0] != len(meta)+4 || !slices.IsSorted(all[len(meta):]) ||
			len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
			t.Errorf("%s: pages of %v items with %v, want the meta-tools and 4 first, each tool once, in order",
				protocol, sizes, all)
		}
		for _, size := range sizes[1:] {
			if size > 4 || size == 0 {
				t.Errorf("%s: pages of %v items, want at most 4", protocol, sizes)
			}
		}
		for _, method := range []string{"resources/list", "resources/templates/list", "prompts/list"} {
			list, err := s.List(t.Context(), method)
			if err != nil || list.Refused != nil || len(list.Items) == 0 {
				t.Errorf("%s: %s: %v %v", protocol, method, err, list.Refused)
			}
		}
	}
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	result := rawCall(t, s, "tools/list", `{}`)
	for _, name := range []string{"a__tool00a", "a__tool03a"} { // before and behind the place
		if _, err := r.opts.Catalog.Register(t.Context(),
			catalog.Tool{Server: "a", Name: name[3:], Run: catalog.Run{Func: "f"}}); err != nil {
			t.Fatal(err)
		}
		eventually(t, name, func() bool { return r.view.Load().byTool[name] != nil })
	}
	next := rawCall(t, s, "tools/list", `{"cursor":`+string(serve.Members(json.RawMessage(result))["nextCursor"])+`}`)
	if got := toolNames(next); !slices.Equal(got, []string{"a__tool03a", "a__tool04", "b__tool00", "b__tool01"}) {
		t.Errorf("the second page is %v, want what follows the first and is new", got)
	}
}

// allPages follows the cursors by hand.
func allPages(t *testing.T, s *mcp.Session, method string) (items []string, sizes []int) {
	t.Helper()
	params := `{}`
	for range 100 {
		result := rawCall(t, s, method, params)
		got := toolNames(result)
		items, sizes = append(items, got...), append(sizes, len(got))
		next, ok := serve.Members(json.RawMessage(result))["nextCursor"]
		if !ok {
			return items, sizes
		}
		params = `{"cursor":` + string(next) + `}`
	}
	t.Fatal("the pages do not end")
	return nil, nil
}

func toolNames(result string) []string {
	var list struct{ Tools []struct{ Name string } }
	_ = json.Unmarshal([]byte(result), &list)
	var all []string
	for _, tool := range list.Tools {
		all = append(all, tool.Name)
	}
	return all
}

// rawCall makes a request and returns the result or the error, as text.
func rawCall(t testing.TB, s *mcp.Session, method, params string) string {
	t.Helper()
	ex, err := s.Do(t.Context(), mcp.Request{Method: method, Params: json.RawMessage(params), Manual: true})
	if err != nil {
		return "no answer: " + err.Error()
	}
	if ex.Reply.Error != nil {
		return ex.Reply.Error.Error()
	}
	return string(ex.Reply.Result)
}

// A cursor is its caller's own, for the list that it came with; what is made up is refused in the same words (E3).
func TestE3Cursors(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(numbered(5))})
	r.opts.Page = 2
	for _, protocol := range protocols {
		ada, eve := r.dial(t, protocol, "ada", mcp.Options{}), r.dial(t, protocol, "eve", mcp.Options{})
		names(t, ada)
		good := string(serve.Members(json.RawMessage(rawCall(t, ada, "tools/list", `{}`)))["nextCursor"])
		if got := rawCall(t, ada, "tools/list", `{"cursor":`+good+`}`); !strings.Contains(got, "a__tool02") {
			t.Fatalf("%s: ada's own cursor: %s", protocol, got)
		}
		refusals := map[string]bool{}
		for _, test := range []struct {
			who    *mcp.Session
			method string
			cursor string
		}{{eve, "tools/list", good}, {ada, "prompts/list", good}, {ada, "tools/list", `"AAAA"`},
			{ada, "tools/list", `""`}, {ada, "tools/list", `"` + strings.Repeat("A", 40) + `"`},
			{ada, "tools/list", `"%%%"`}} {
			got := rawCall(t, test.who, test.method, `{"cursor":`+test.cursor+`}`)
			if refusals[got] = true; !strings.Contains(got, "-32602") {
				t.Errorf("%s: %s with %s: %s, want it refused", protocol, test.method, test.cursor, got)
			}
		}
		if len(refusals) != 1 {
			t.Errorf("%s: refused as %v, want one way", protocol, refusals)
		}
	}
}
