package conform

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func offerMutants() map[string][]mutant {
	const page = "/result/resources"
	return map[string][]mutant{
		"RES-001": {{name: "refuses", defect: refused("resources/list", -32603, "not today")}},
		"RES-002": {{name: "shuffles", defect: shuffled("resources")}},
		"RES-003": {{name: "goes in circles", defect: reply("resources/list",
			set("/result/nextCursor", `"resources-2"`)), also: []string{"RES-005"}}},
		"RES-004": {{name: "starts over", defect: anyCursor("resources/list")}},
		"RES-005": {{name: "twice", defect: onFirstPage("resources/list",
			set(page+"/1", `{"uri":"note://one","name":"again"}`))},
			{name: "on two pages", defect: repeatsOnNextPage("resources")}},
		"RES-006": {
			{name: "empty", defect: reads("note://one", set("/result/contents", `[]`))},
			{name: "lost", also: []string{"TOOL-037"}, defect: about("resources/read", "note://one",
				func(c *exemplar.Call) []byte { return c.Refuse(-32603, "lost") })},
		},
		"RES-007": {
			{name: "empty", defect: about("resources/read", "mcptest://", func(c *exemplar.Call) []byte {
				return cachedResult(c, `{"contents":[]}`)
			})},
			{name: "another code", defect: about("resources/read", "mcptest://",
				func(c *exemplar.Call) []byte { return c.Refuse(-32603, "no") })},
		},
		"RES-008": {{name: "hexadecimal", defect: reads("note://pixel", set("/result/contents/0/blob", `"89504e4"`))},
			{name: "of mail", defect: reads("note://pixel", set("/result/contents/0/blob", `"iVBORw0K\r\nGgo="`))},
			{name: "no padding", defect: reads("note://pixel", set("/result/contents/0/blob", `"iVBORw0KGgo"`))}},
		"RES-009": {{name: "of another", defect: reads("note://one", set("/result/contents/0/uri", `"note://two"`))},
			{name: "of another value", defect: reads("note://numbered/1",
				set("/result/contents/0/uri", `"note://numbered/7"`))},
			{name: "of another form", defect: described(`"The note of a day"`, func(uri string) (string, string) {
				return strings.Replace(uri, "library://books/", "library://book?", 1), "a book"
			})},
			{name: "twice that of another", defect: reads("note://one", set("/result/contents",
				`[{"uri":"note://two","text":"1"},{"uri":"note://two","text":"2"}]`))}},
		"RES-010": {
			{name: "another", defect: reads("note://one", set("/result/contents/0/mimeType", `"text/html"`))},
			{name: "none", defect: reads("note://three", set("/result/contents/0/mimeType", `"text"`))},
		},
		"RES-011": {{name: "guesses", defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					if c.Method == "resources/read" && c.Fault == nil && At(c.Params, "/uri") == nil {
						return cachedResult(c, `{"contents":[{"uri":"note://one","text":"a note"}]}`)
					}
					return next(c)
				}
			}
		}}},
		"RES-012": {{name: "private in part", defect: onFirstPage("resources/list",
			set("/result/cacheScope", `"private"`))}},
		"PROMPT-011": {{name: "private in part", defect: onFirstPage("prompts/list",
			set("/result/cacheScope", `"private"`))}},
		"TMPL-006": {{name: "private in part", defect: onFirstPage("resources/templates/list",
			set("/result/cacheScope", `"private"`))}},
		"RES-013":  {{name: "of its own", defect: reads("note://one", set("/result/resultType", `"done"`))}},
		"TMPL-001": {{name: "refuses", defect: refused("resources/templates/list", -32601, "not found")}},
		"TMPL-002": {{name: "goes in circles", defect: func(s *exemplar.Server) {
			reply("resources/templates/list", set("/result/nextCursor", `"again"`))(s)
			inner := s.Wrap
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return inner(func(c *exemplar.Call) []byte {
					changed := *c
					if c.Method == "resources/templates/list" && schema.TextAt(c.Params, "/cursor") == "again" {
						changed.Params = edited(c.Params, remove("/cursor"))
					}
					return next(&changed)
				})
			}
		}}},
		"TMPL-003": {{name: "starts over", defect: anyCursor("resources/templates/list")}},
		"TMPL-004": {{name: "with a blank", defect: reply("resources/templates/list",
			set("/result/resourceTemplates/0/uriTemplate", `"note://numbered/{the n}"`))}},
		"TMPL-005": {{name: "breaks", also: []string{"COMP-005"},
			defect: about("resources/read", "note://numbered/",
				func(c *exemplar.Call) []byte { return c.Refuse(-32603, "boom") })}},

		"PROMPT-001": {{name: "refuses", defect: refused("prompts/list", -32603, "not today")}},
		"PROMPT-002": {{name: "shuffles", defect: shuffled("prompts")}},
		"PROMPT-003": {{name: "goes in circles", defect: reply("prompts/list",
			set("/result/nextCursor", `"prompts-2"`)), also: []string{"PROMPT-005"}}},
		"PROMPT-004": {{name: "starts over", defect: anyCursor("prompts/list")}},
		"PROMPT-005": {{name: "an argument twice", defect: onFirstPage("prompts/list",
			set("/result/prompts/0/arguments", `[{"name":"who","required":true},{"name":"who"}]`))},
			{name: "on two pages", defect: repeatsOnNextPage("prompts")}},
		"PROMPT-006": {
			{name: "says nothing", defect: gets("plain", set("/result/messages", `[]`))},
			{name: "breaks", defect: about("prompts/get", `"plain"`,
				func(c *exemplar.Call) []byte { return c.Refuse(-32603, "boom") })},
			{name: "needs an optional argument", also: []string{"PROMPT-014", "PROMPT-016", "PROMPT-017"},
				defect: func(s *exemplar.Server) {
					s.Wrap = func(next exemplar.Handler) exemplar.Handler {
						return func(c *exemplar.Call) []byte {
							if c.Method == "prompts/get" && schema.TextAt(c.Params, "/name") == "greet" &&
								At(c.Params, "/arguments/who") != nil && At(c.Params, "/arguments/style") == nil {
								return c.Refuse(-32603, "style is missing")
							}
							r := next(c)
							if c.Method == "prompts/list" && !strings.Contains(string(c.Params), `"cursor"`) {
								return edited(r, set("/result/prompts/0/arguments/1", `{"name":"style"}`))
							}
							return r
						}
					}
				}},
		},
		"PROMPT-007": {{name: "another code", defect: about("prompts/get", "no-such-prompt",
			func(c *exemplar.Call) []byte { return c.Refuse(-32603, "no") })}},
		"PROMPT-008": {{name: "goes on", defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					if c.Method == "prompts/get" && c.Fault == nil && schema.TextAt(c.Params, "/name") == "greet" &&
						At(c.Params, "/arguments/who") == nil {
						return succeed(c, `{"messages":[{"role":"user","content":{"type":"text","text":"Hello `+
							`undefined"}}]}`)
					}
					return next(c)
				}
			}
		}}},
		"PROMPT-009": {{name: "of the web", defect: gets("plain",
			set("/result/messages/0/content", `{"type":"image","data":"_-8","mimeType":"image/png"}`))}},
		"PROMPT-010": {{name: "of its own", defect: gets("plain", set("/result/resultType", `"done"`))}},

		"COMP-001": {{name: "too many", defect: reply("completion/complete",
			set("/result/completion", `{"values":[`+strings.TrimSuffix(strings.Repeat(`"x",`, 101), ",")+`]}`)),
			also: []string{"COMP-006", "WIRE-001", "WIRE-002", "WIRE-003", "WIRE-004"}},
			{name: "too many for one argument", defect: answer("completion/complete", func(c *exemplar.Call, r []byte) []byte {
				if schema.TextAt(c.Params, "/argument/name") != "n" {
					return r
				}
				return edited(r, set("/result/completion",
					`{"values":[`+strings.TrimSuffix(strings.Repeat(`"x",`, 101), ",")+`]}`))
			}), also: []string{"COMP-005", "COMP-006", "WIRE-001", "WIRE-002", "WIRE-003", "WIRE-004"}}},
		"COMP-002": {{name: "an empty menu", defect: about("completion/complete", "no-such-prompt",
			func(c *exemplar.Call) []byte {
				return succeed(c, `{"completion":{"values":[]}}`)
			})}},
		"COMP-003": {
			{name: "too few", defect: reply("completion/complete", set("/result/completion/total", `1`))},
			{name: "no more", defect: reply("completion/complete", set("/result/completion/hasMore", `true`))},
			{name: "hides some", defect: reply("completion/complete", set("/result/completion/total", `9`))},
		},
	}
}

// reads changes what reading a resource brings.
func reads(uri string, edits ...finding.Edit) func(*exemplar.Server) {
	return answer("resources/read", func(c *exemplar.Call, r []byte) []byte {
		if schema.TextAt(c.Params, "/uri") != uri {
			return r
		}
		return edited(r, edits...)
	})
}

// gets changes what a prompt brings.
func gets(name string, edits ...finding.Edit) func(*exemplar.Server) {
	return answer("prompts/get", func(c *exemplar.Call, r []byte) []byte {
		if schema.TextAt(c.Params, "/name") != name {
			return r
		}
		return edited(r, edits...)
	})
}

// about answers requests of a method whose params hold a text.
func about(method, text string, h exemplar.Handler) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == method && c.Fault == nil && strings.Contains(string(c.Params), text) {
					return h(c)
				}
				return next(c)
			}
		}
	}
}

// cachedResult is a result that says how long it may be kept, in the era that wants it.
func cachedResult(c *exemplar.Call, result string) []byte {
	if !c.Modern {
		return succeed(c, result)
	}
	return succeed(c, `{"ttlMs":0,"cacheScope":"private",`+result[1:])
}
