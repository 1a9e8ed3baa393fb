package conform

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func toolMutants() map[string][]mutant {
	const first = "/result/tools/0"
	return map[string][]mutant{
		"TOOL-001": {{name: "refuses", defect: refused("tools/list", -32603, "not today")}},
		"TOOL-002": {{name: "shuffles", defect: shuffled("tools")}},
		"TOOL-003": {
			{name: "goes in circles", defect: reply("tools/list", set("/result/nextCursor", `"tools-2"`)),
				also: []string{"TOOL-005"}},
			{name: "an empty last page", defect: emptyLast},
		},
		"TOOL-004": {{name: "starts over", defect: anyCursor("tools/list")}},
		"TOOL-005": {{name: "twice", defect: onFirstPage("tools/list", set("/result/tools/1/name", `"echo"`))},
			{name: "on two pages", defect: repeatsOnNextPage("tools")}},
		"TOOL-006": {{name: "spaces", defect: renamed("echo", "say it")}},
		"TOOL-007": {
			{name: "no such type", defect: onFirstPage("tools/list",
				set(first+"/inputSchema/properties/text/type", `"text"`))},
			{name: "dangling", defect: onFirstPage("tools/list",
				set(first+"/inputSchema/properties/text", `{"$ref":"#/$defs/none"}`))},
		},
		"TOOL-008": {{name: "no such type", defect: onFirstPage("tools/list",
			set("/result/tools/1/outputSchema/properties/sum/type", `"real"`))}},
		"TOOL-009": {
			{name: "says so in a result", defect: unknownTool(func(c *exemplar.Call) []byte {
				return succeed(c, `{"content":[{"type":"text","text":"no such tool"}],"isError":true}`)
			})},
			{name: "says nothing", defect: unknownTool(func(c *exemplar.Call) []byte {
				return succeed(c,
					`{"content":[]}`)
			})},
			{name: "another code", defect: unknownTool(func(c *exemplar.Call) []byte {
				return c.Refuse(-32601,
					"no such tool")
			})},
		},
		"TOOL-010": {{name: "takes none", defect: lenientEcho(`"arguments":{}`)}},
		"TOOL-011": {{name: "takes anything", defect: lenientEcho(`"arguments":{"text":{`)}},
		"TOOL-012": {{name: "ignores", defect: callsWith(func(params string) bool {
			return At([]byte(params),
				"/name") == nil
		},
			func(c *exemplar.Call) []byte { return succeed(c, `{"content":[]}`) })}},
		"TOOL-013": {{name: "a text", defect: callsOf("sum", set("/result/structuredContent/sum", `"two"`)),
			also: []string{"TOOL-015"}},
			{name: "rejected by the SDK", defect: callsOf("sum", remove("/result/structuredContent"),
				set("/result/isError", "true"), set("/result/content/0/text", `"MCP error -32602: Output validation error: `+
					`Tool sum has an output schema but no structured content was provided"`))}},
		"TOOL-014": {{name: "none", defect: callsOf("sum", remove("/result/structuredContent"))}},
		"TOOL-015": {{name: "prose", defect: callsOf("sum", set("/result/content/0/text", `"The sum is here."`))},
			{name: "another number", defect: callsOf("sum", set("/result/content/0/text", `"{\"sum\":68}"`))},
			{name: "other items", defect: callsOf("sum", set("/result/content/0/text", `"{\"books\":[{\"id\":1}]}"`),
				set("/result/structuredContent/books", `[{"id":2},{"id":3}]`))},
			{name: "fewer items", defect: callsOf("sum", set("/result/content/0/text", `"{\"books\":[]}"`),
				set("/result/structuredContent/books", `[{"id":2}]`))}},
		"TOOL-045": {{name: "a whole table", only: []string{"2025-11-25", "2026-07-28"},
			defect: callsOf("picture",
				set("/result/content/1", `{"type":"text","text":"`+strings.Repeat("row ", 110_000)+`"}`))}},
		"TOOL-046": {
			{name: "base64", defect: callsOf("picture", set("/result/content/0", `{"type":"text","text":"`+photo+`"}`))},
			{name: "a data URL", defect: callsOf("picture",
				set("/result/content/0", `{"type":"text","text":"data:image/gif;base64,`+photo+`"}`))},
		},
		"TOOL-047": {{name: "an ID", also: []string{"TOOL-015"}, only: []string{"2025-06-18", "2025-11-25", "2026-07-28"},
			defect: callsOf("sum", set("/result/structuredContent/ids", `[1,{"id":9007199254740993}]`),
				set("/result/content/0/text", `"{\"ids\":[1,{\"id\":9007199254740993}]}"`))}},
		"TOOL-048": {
			{name: "any page", on: OnHTTP, only: []string{"2025-06-18", "2025-11-25", "2026-07-28"},
				defect: fetching("A page.", func(string) bool { return true })},
			{name: "public pages", on: OnHTTP, only: []string{"2025-06-18", "2025-11-25", "2026-07-28"},
				defect: fetching("A public page.", func(url string) bool { return !strings.Contains(url, "127.") })},
			{name: "two names of the machine", on: OnHTTP, only: []string{"2025-11-25"},
				defect: fetching("A page. Internal and loopback addresses are rejected.", func(url string) bool {
					return !strings.HasPrefix(url, "http://127.") && !strings.HasPrefix(url, "http://localhost")
				})},
		},
		"TOOL-049": {
			{name: "a temporary file", on: OnPipe, process: true, only: []string{"2025-11-25"},
				defect: onCall("echo", func(*exemplar.Call) {
					if f, err := os.CreateTemp("", "report-"); err == nil {
						_ = f.Close()
					}
				})},
			{name: "the file that it names", on: OnPipe, process: true, only: []string{"2025-11-25"},
				also: []string{"TOOL-032", "RPC-023"},
				defect: answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
					if schema.TextAt(c.Params, "/name") != "count" || At(r, "/result/content") == nil {
						return r
					}
					path := filepath.Join(os.TempDir(), "report.csv")
					if strings.Contains(path, "mcptest-") { // the check removes it
						_ = os.WriteFile(path, []byte("1,2,3"), 0o600)
					}
					return edited(r, set("/result/content/0/text", `"Saved to `+path+`"`))
				})},
		},
		"TOOL-016": {{name: "of the web", defect: callsOf("picture",
			set("/result/content/0/data", `"iVBORw0KGgo_-w"`))}},
		"TOOL-017": {{name: "an extension", defect: callsOf("picture", set("/result/content/0/mimeType", `"png"`))}},
		"TOOL-018": {{name: "reads and destroys",
			defect: onFirstPage("tools/list", set(first+"/annotations/destructiveHint", `true`))}},
		"TOOL-019": {{name: "of old", defect: onFirstPage("tools/list",
			set(first+"/inputSchema/$schema", `"http://json-schema.org/draft-07/schema#"`))}},
		"TOOL-020": {{name: "on a list", defect: onFirstPage("tools/list",
			set(first+"/inputSchema/properties/list", `{"type":"array","x-mcp-header":"List"}`))}},
		"TOOL-021": {{name: "private in part", defect: onFirstPage("tools/list",
			set("/result/cacheScope", `"private"`))}},
		"TOOL-022": {{name: "of its own", defect: callsOf("echo", set("/result/resultType", `"done"`))}},
		"TOOL-024": {{name: "mute", defect: onFirstPage("tools/list", remove(first+"/description"))}},
		"TOOL-023": {{name: "in the clear", defect: onFirstPage("tools/list",
			set(first+"/icons", `[{"src":"http://example.com/i.png"}]`))}},
	}
}

// photo is the start of a GIF file in base64.
var photo = base64.StdEncoding.EncodeToString([]byte("GIF89a" + strings.Repeat("\x01", 60)))

// fetching replaces the text of echo by a URL, which it fetches if that is allowed.
func fetching(about string, allowed func(url string) bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				changed := *c
				if url := schema.TextAt(c.Params, "/arguments/url"); c.Method == "tools/call" && url != "" {
					if strings.HasPrefix(url, "http://") && allowed(url) {
						if got, err := http.Get(url); err == nil {
							_ = got.Body.Close()
						}
					}
					changed.Params = edited(c.Params, remove("/arguments/url"), set("/arguments/text", `"fetched"`))
				}
				r := next(&changed)
				if c.Method == "tools/list" {
					r = bytes.ReplaceAll(r, []byte(`"text":{"type":"string"}`),
						[]byte(`"url":{"type":"string","description":"`+about+`"}`))
					r = bytes.ReplaceAll(r, []byte(`"required":["text"]`), []byte(`"required":["url"]`))
				}
				return r
			}
		}
	}
}

// onFirstPage changes the first page of a list.
func onFirstPage(method string, edits ...finding.Edit) func(*exemplar.Server) {
	return answer(method, func(c *exemplar.Call, r []byte) []byte {
		if strings.Contains(string(c.Params), `"cursor"`) {
			return r
		}
		return edited(r, edits...)
	})
}

// repeatsOnNextPage begins the second page with the first item of the first page.
func repeatsOnNextPage(key string) func(*exemplar.Server) {
	var item sync.Map
	return answer(key+"/list", func(c *exemplar.Call, r []byte) []byte {
		if !strings.Contains(string(c.Params), `"cursor"`) {
			if raw := At(r, "/result/"+key+"/0"); raw != nil {
				item.Store(c.Revision, string(raw))
			}
			return r
		}
		first, ok := item.Load(c.Revision)
		if !ok {
			return r
		}
		start := fmt.Sprintf("%q:[", key)
		return []byte(strings.Replace(string(r), start, fmt.Sprintf("%s%s,", start, first), 1))
	})
}

// shuffled turns the items of the first page round at every other reading.
func shuffled(key string) func(*exemplar.Server) {
	method := map[string]string{"resourceTemplates": "resources/templates/list"}[key]
	if method == "" {
		method = key + "/list"
	}
	return func(s *exemplar.Server) {
		var n atomic.Int64
		answer(method, func(c *exemplar.Call, r []byte) []byte {
			if strings.Contains(string(c.Params), `"cursor"`) || n.Add(1)%2 == 0 {
				return r
			}
			a, b := At(r, "/result/"+key+"/0"), At(r, "/result/"+key+"/1")
			if b == nil {
				return r
			}
			return edited(r, set("/result/"+key+"/0", string(b)), set("/result/"+key+"/1", string(a)))
		})(s)
	}
}

// refused answers sound requests of a method with an error.
func refused(method string, code int, why string) func(*exemplar.Server) {
	return answer(method, func(c *exemplar.Call, r []byte) []byte {
		if c.Fault != nil {
			return r
		}
		return c.Refuse(code, why)
	})
}

// anyCursor answers an unknown cursor with the first page.
func anyCursor(method string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == method && strings.Contains(string(c.Params), "no-such-cursor") {
					params := edited(c.Params, remove("/cursor"))
					changed := *c
					changed.Params = params
					return next(&changed)
				}
				return next(c)
			}
		}
	}
}

// renamed gives a tool another name, in the list and in calls.
func renamed(from, to string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				changed := *c
				changed.Params = []byte(strings.Replace(string(c.Params), fmt.Sprintf(`"name":%q`, to),
					fmt.Sprintf(`"name":%q`, from), 1))
				r := next(&changed)
				if c.Method != "tools/list" {
					return r
				}
				return []byte(strings.Replace(string(r), fmt.Sprintf(`"name":%q`, from), fmt.Sprintf(`"name":%q`, to),
					1))
			}
		}
	}
}

// unknownTool answers calls of tools that do not exist.
func unknownTool(h exemplar.Handler) func(*exemplar.Server) {
	return callsWith(func(params string) bool { return strings.Contains(params, "no-such-tool") }, h)
}

// lenientEcho answers calls of echo whose params hold a text as if they were right.
func lenientEcho(text string) func(*exemplar.Server) {
	return callsWith(func(params string) bool {
		return strings.Contains(params, `"echo"`) && strings.Contains(params, text)
	}, func(c *exemplar.Call) []byte { return succeed(c, `{"content":[{"type":"text","text":"undefined"}]}`) })
}

// callsWith answers some calls of tools by a function.
func callsWith(some func(params string) bool, h exemplar.Handler) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == "tools/call" && c.Fault == nil && some(string(c.Params)) {
					return h(c)
				}
				return next(c)
			}
		}
	}
}

// callsOf changes the results of a tool.
func callsOf(tool string, edits ...finding.Edit) func(*exemplar.Server) {
	return answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
		if schema.TextAt(c.Params, "/name") != tool {
			return r
		}
		return edited(r, edits...)
	})
}

// emptyLast has a last page without entries.
// emptyMiddle returns an empty page before the last one, which is allowed.
func emptyMiddle(s *exemplar.Server) {
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			switch cursor := schema.TextAt(c.Params, "/cursor"); {
			case c.Method != "tools/list" || c.Fault != nil:
			case cursor == "tools-2":
				return edited(next(c), set("/result/tools", `[]`), set("/result/nextCursor", `"tools-3"`))
			case cursor == "tools-3":
				changed := *c
				changed.Params = edited(c.Params, set("/cursor", `"tools-2"`))
				return next(&changed)
			}
			return next(c)
		}
	}
}

func emptyLast(s *exemplar.Server) {
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			switch cursor := schema.TextAt(c.Params, "/cursor"); {
			case c.Method != "tools/list" || c.Fault != nil:
			case cursor == "tools-2":
				return edited(next(c), set("/result/nextCursor", `"tools-3"`))
			case cursor == "tools-3":
				changed := *c
				changed.Params = edited(c.Params, set("/cursor", `"tools-2"`))
				return edited(next(&changed), set("/result/tools", `[]`))
			}
			return next(c)
		}
	}
}
