package conform

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

const exemplarView = "ui://exemplar/echo.html"

// appMutants break the rules for views. A transport makes no difference to them.
func appMutants() map[string][]mutant {
	all := map[string][]mutant{
		"APP-001": {
			{name: "a web page", defect: echoMeta(`{"ui":{"resourceUri":"https://exemplar.example/echo.html"}}`)},
			{name: "is lost", defect: about("resources/read", exemplarView, func(c *exemplar.Call) []byte {
				return c.Refuse(-32602, "no such file")
			}), also: []string{"RES-006"}},
			{name: "is empty", defect: reads(exemplarView, set("/result/contents", `[]`)), also: []string{"RES-006"}},
		},
		"APP-002": {
			{name: "the old form", defect: readsAndLists(`"text/html+skybridge"`)},
			{name: "another place", defect: reads(exemplarView, set("/result/contents/0/uri", `"ui://exemplar/other"`)),
				also: []string{"RES-009"}},
		},
		"APP-003": {
			{name: "no doctype", defect: viewOf("<p>hello</p>")},
			{name: "two forms", defect: reads(exemplarView, set("/result/contents/0/blob", `"PHA+"`)),
				also: []string{"RES-015"}},
		},
		"APP-004": {
			{name: "nothing to read", defect: callsOf("echo", set("/result/content", `[]`)),
				also: []string{"TOOL-032", "RPC-023", "TOOL-026", "TOOL-028"}},
		},
		"APP-005": {{name: "hides the tool", defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					r := next(c)
					if c.Method == "tools/list" && At(c.Params, "/cursor") == nil &&
						!strings.Contains(string(c.Declared()), mcp.AppsExtension) {
						return edited(r, remove("/result/tools/0"))
					}
					return r
				}
			}
		}}},
		"APP-006": {
			{name: "one word", defect: echoMeta(`{"ui":{"visibility":"app"}}`)},
		},
		"APP-007": {{name: "a hidden tool", defect: viewOf(`<!doctype html><script>app.callServerTool({name:"poll",` +
			`arguments:{}}); "ui/initialize"</script>`)}},
		"APP-008": {
			{name: "only the old key", defect: echoMeta(`{"ui/resourceUri":"` + exemplarView + `"}`)},
			{name: "contradicts", defect: echoMeta(`{"ui":{"resourceUri":"` + exemplarView +
				`"},"ui/resourceUri":"ui://exemplar/old.html"}`)},
		},
		"APP-009": {
			{name: "not in the list", defect: listsView(remove("/_meta"))},
			{name: "not on the content", defect: reads(exemplarView, remove("/result/contents/0/_meta"))},
			{name: "nowhere", defect: both(listsView(remove("/_meta")),
				reads(exemplarView, remove("/result/contents/0/_meta")))},
		},
		"APP-010": {{name: "a script of others", defect: viewOf(`<!doctype html><script src="https://cdn.example.com/a.js">` +
			`</script><script>"ui/initialize"; fetch("https://api.example.com/")</script>`)}},
		"APP-011": {
			{name: "changes the policy", defect: viewSettings(`{"csp":{"resourceDomains":["https://a.example; script-src *"]}}`)},
			{name: "with a path", defect: viewSettings(`{"csp":{"connectDomains":["https://a.example/api"]}}`)},
		},
		"APP-012": {{name: "a player", defect: viewSettings(`{"csp":{"frameDomains":["https://player.example"]}}`)}},
		"APP-013": {
			{name: "for none", defect: viewSettings(`{"csp":{},"domain":"exemplar"}`)},
		},
		"APP-014": {
			{name: "unknown", defect: viewSettings(`{"csp":{},"permissions":{"usb":{}}}`)},
		},
		"APP-015": {{name: "large", defect: viewOf("<!doctype html><!--" + strings.Repeat("x", 2_000_000) + "-->")}},
		"APP-016": {
			{name: "empty", defect: about("resources/read", "no-such-view", func(c *exemplar.Call) []byte {
				return cachedResult(c, `{"contents":[]}`)
			})},
			{name: "another code", defect: about("resources/read", "no-such-view", func(c *exemplar.Call) []byte {
				return c.Refuse(-32603, "no")
			})},
		},
		"APP-017": {{name: "as a client", defect: viewOf(`<!doctype html><script>parent.postMessage({jsonrpc:"2.0",id:1,` +
			`method:"initialize",params:{clientInfo:{name:"x"}}},"*")</script>`)}},
	}
	for _, some := range all {
		for i := range some {
			some[i].on = OnPipe
		}
	}
	return all
}

// both applies two defects of different methods.
func both(one, other func(*exemplar.Server)) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		one(s)
		first := s.Wrap
		other(s)
		second := s.Wrap
		s.Wrap = func(next exemplar.Handler) exemplar.Handler { return second(first(next)) }
	}
}

// echoMeta changes what the tool echo declares.
func echoMeta(meta string) func(*exemplar.Server) {
	return onFirstPage("tools/list", set("/result/tools/0/_meta", meta))
}

// viewOf replaces the HTML of the view.
func viewOf(html string) func(*exemplar.Server) {
	return reads(exemplarView, set("/result/contents/0/text", string(serve.Encode(html))))
}

// listsView changes the entry of the view in the list, by pointers into the entry.
func listsView(edits ...finding.Edit) func(*exemplar.Server) {
	return listsEntry(exemplarView, edits...)
}

// listsEntry changes the entry of a resource in the list, by pointers into the entry.
func listsEntry(uri string, edits ...finding.Edit) func(*exemplar.Server) {
	return answer("resources/list", func(_ *exemplar.Call, r []byte) []byte {
		items, _ := schema.Elements(At(r, "/result/resources"))
		for i, item := range items {
			if schema.TextAt(item, "/uri") != uri {
				continue
			}
			for _, e := range edits {
				e.Pointer = "/result/resources/" + string(rune('0'+i)) + e.Pointer
				r = edited(r, e)
			}
		}
		return r
	})
}

// viewSettings changes what the view declares, in both places.
func viewSettings(ui string) func(*exemplar.Server) {
	return both(listsView(set("/_meta/ui", ui)), reads(exemplarView, set("/result/contents/0/_meta/ui", ui)))
}

// readsAndLists changes the type of the view in both places.
func readsAndLists(kind string) func(*exemplar.Server) {
	return both(listsView(set("/mimeType", kind)), reads(exemplarView, set("/result/contents/0/mimeType", kind)))
}
