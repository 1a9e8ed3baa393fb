package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// textMutants break the texts that results, log messages and prompts consist of.
func textMutants() map[string][]mutant {
	structured := []string{"2025-06-18", "2025-11-25", "2026-07-28"}
	return map[string][]mutant{
		"TOOL-039": {{name: "in color", defect: callsOf("count",
			set("/result/content/0/text", `"\u001b[32mthree\u001b[0m"`))}},
		"TOOL-040": {{name: "cut", defect: callsOf("count",
			set("/result/content/0/text", `"[{\"n\": 1, \"of\": 3}, {\"n\": 2, \"of\": 3}, {\"n\": 3, \"o"`))}},
		"TOOL-041": {{name: "another name", only: structured, defect: answer("*", func(c *exemplar.Call, r []byte) []byte {
			switch c.Method {
			case "tools/list":
				return bytes.ReplaceAll(r, []byte(`,"required":["sum"]`), nil)
			case "tools/call":
				r = bytes.ReplaceAll(r, []byte(`\"sum\"`), []byte(`\"the_sum\"`))
				return bytes.ReplaceAll(r, []byte(`"sum":`), []byte(`"the_sum":`))
			}
			return r
		})}},
		"TOOL-042": {{name: "a mark of a cache", on: OnPipe, defect: func(s *exemplar.Server) {
			var called sync.Map
			answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
				if schema.TextAt(c.Params, "/name") != "count" || At(r, "/result/content") == nil {
					return r
				}
				_, again := called.LoadOrStore(peerOf(c), true)
				return edited(r, set("/result/content/0/text", map[bool]string{false: `"MISS 4"`, true: `"HIT 4"`}[again]))
			})(s)
		}}, {name: "consumes", on: OnPipe, defect: func(s *exemplar.Server) {
			var called sync.Map
			answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
				if schema.TextAt(c.Params, "/name") != "count" || At(r, "/result/content") == nil {
					return r
				}
				if _, again := called.LoadOrStore(peerOf(c), true); !again {
					return r
				}
				return edited(r, set("/result/content/0/text", `"nothing is left"`))
			})(s)
		}},
			{name: "a cache without one argument", on: OnPipe, defect: func(s *exemplar.Server) {
				var stored sync.Map
				answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
					if schema.TextAt(c.Params, "/name") != "sum" || At(r, "/result/structuredContent") == nil {
						return r
					}
					key := [2]any{peerOf(c), string(At(c.Params, "/arguments/a"))}
					result, _ := stored.LoadOrStore(key, At(r, "/result"))
					return edited(r, set("/result", string(result.(json.RawMessage))))
				})(s)
			}, only: []string{"2025-06-18", "2025-11-25", "2026-07-28"}},
			{name: "an optional filter that stays", on: OnPipe, defect: func(s *exemplar.Server) {
				var tags sync.Map
				extraTools(`{"name":"search_notes","description":"Lists the notes with a tag.","inputSchema":{"type":"object",`+
					`"properties":{"tag":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}},"additionalProperties":false},`+
					`"annotations":{"readOnlyHint":true}}`, func(string, json.RawMessage) string { return `["a","b"]` })(s)
				wrap := s.Wrap
				s.Wrap = func(next exemplar.Handler) exemplar.Handler {
					next = wrap(next)
					return func(c *exemplar.Call) []byte {
						if tag := schema.TextAt(c.Params, "/arguments/tag"); tag != "" {
							tags.Store(peerOf(c), tag)
						}
						r := next(c)
						if _, filtered := tags.Load(peerOf(c)); filtered && schema.TextAt(c.Params, "/name") == "search_notes" &&
							At(r, "/result/content") != nil {
							return edited(r, set("/result/content/0/text", `"[]"`))
						}
						return r
					}
				}
			}},
			{name: "a list that is reversed", on: OnPipe, defect: func(s *exemplar.Server) {
				var turned sync.Map
				answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
					if schema.TextAt(c.Params, "/name") != "count" || At(r, "/result/content") == nil {
						return r
					}
					if string(At(c.Params, "/arguments/limit")) == "2" {
						_, was := turned.LoadOrStore(peerOf(c), true)
						if was {
							turned.Delete(peerOf(c))
						}
					}
					if _, is := turned.Load(peerOf(c)); is {
						return edited(r, set("/result/content/0/text", `"3,2,1"`))
					}
					return edited(r, set("/result/content/0/text", `"1,2,3"`))
				})(s)
			}}},
		"TOOL-050": {
			{name: "always up", defect: sorting(func(string) string { return "[1,2,3]" })},
			{name: "lines", defect: sorting(func(string) string { return "one\\ntwo\\nthree" })},
			{name: "an optional direction", defect: extraTools(`{"name":"list_ships","description":"Lists the ships.","inputSchema":{"type":"object",`+
				`"properties":{"order":{"anyOf":[{"$ref":"#/$defs/Order"},{"type":"null"}],"default":null}},"additionalProperties":false,`+
				`"$defs":{"Order":{"type":"string","enum":["asc","desc"]}}},"annotations":{"readOnlyHint":true}}`,
				func(string, json.RawMessage) string { return `["Argo","Beagle","Calypso"]` })},
		},
		"TOOL-051": {
			{name: "twice", defect: listing(func(int, int) string { return `[{"id":7,"name":"a"},{"id":7,"name":"a"}]` }),
				also: []string{"TOOL-038", "TOOL-043"}},
			{name: "counts before", defect: listing(func(int, int) string { return `{"total_count":1,"items":["a","b"]}` }),
				also: []string{"TOOL-038", "TOOL-043"}},
		},
		"TOOL-052": {{name: "a time without offset", defect: extraTools(`{"name":"departure","description":"Returns when the `+
			`train leaves.","inputSchema":{"type":"object","additionalProperties":false},"outputSchema":{"type":"object",`+
			`"properties":{"at":{"type":"string","format":"date-time"},"by":{"type":"string","format":"email"}},`+
			`"required":["at"]},"annotations":{"readOnlyHint":true}}`,
			func(string, json.RawMessage) string { return `{"at":"2026-11-20 07:15","by":""}` })}},
		"TOOL-053": {{name: "titles for keys", defect: extraTools(projectTools, func(name string, a json.RawMessage) string {
			if name == "list_projects" {
				return `{"projects":[{"name":"Apollo Web"},{"name":"Hermes API"}]}`
			}
			return "There is no project " + schema.TextAt(a, "/name")
		})}, {name: "a pattern that is too narrow", defect: extraTools(strings.Replace(projectTools, `"name":{"type":"string"`,
			`"name":{"type":"string","pattern":"^[a-z]{3}$"`, 1), func(name string, a json.RawMessage) string {
			if name == "list_projects" {
				return `{"projects":[{"name":"one"},{"name":"three"}]}`
			}
			return "the project " + schema.TextAt(a, "/name")
		})}},
		"TOOL-056": {
			{name: "a cache for all cities", defect: weather(`"enum":["Berlin","Rome","Oslo"]`, func(string) string { return "Rome" })},
			{name: "listed cities", defect: weather(`"minLength":1`, func(string) string { return "Oslo" })},
			{name: "a cache that is filled later", defect: func(s *exemplar.Server) {
				var stored sync.Map
				weather(`"enum":["Berlin","Rome","Oslo"]`, func(city string) string {
					first, _ := stored.LoadOrStore("city", city)
					return first.(string)
				})(s)
			}, on: OnHTTP},
		},
		"TOOL-054": {
			{name: "pages that overlap", defect: pagedTool(`"page":{"type":"integer","minimum":1,"default":1},`+
				`"page_size":{"type":"integer","minimum":1,"maximum":50,"default":4}`, func(a pageArguments) string {
				return itemsFrom(max(0, (a.Page-1)*a.PageSize-1), a.PageSize)
			})},
			{name: "pages with a gap", defect: pagedTool(`"page":{"type":"integer","minimum":0},`+
				`"per_page":{"type":"integer","minimum":1,"maximum":50}`, func(a pageArguments) string {
				return itemsFrom(a.Page*(a.PerPage+1), a.PerPage)
			})},
			{name: "a page that is left out", defect: pagedTool(`"page":{"type":"integer","minimum":1},`+
				`"limit":{"type":"integer","minimum":1,"maximum":50}`, func(a pageArguments) string {
				if a.Page == 1 {
					return itemsFrom(0, a.Limit)
				}
				return itemsFrom(a.Page*a.Limit, a.Limit)
			})},
			{name: "an offset of pages", defect: pagedTool(`"offset":{"type":"integer","minimum":0},`+
				`"limit":{"type":"integer","minimum":1,"maximum":50}`, func(a pageArguments) string {
				return itemsFrom(a.Offset*a.Limit, a.Limit)
			})},
			{name: "a cursor that skips an item", defect: pagedTool(`"cursor":{"type":"string"},`+
				`"limit":{"type":"integer","minimum":1,"maximum":50}`, func(a pageArguments) string {
				from, err := strconv.Atoi(a.Cursor)
				if err != nil && a.Cursor != "" {
					return "The cursor is unknown."
				}
				return strings.Replace(itemsFrom(from, a.Limit), "{", `{"next_cursor":"`+strconv.Itoa(from+a.Limit+1)+`",`, 1)
			})},
			{name: "a last page that leads to itself", defect: pagedTool(`"cursor":{"type":["string","null"],"default":null}`,
				func(a pageArguments) string { return chained(a, func(from int) int { return min(from+a.Limit, 8) }) })},
			{name: "a last page that leads to an earlier one", defect: pagedTool(`"offset":{"type":"integer","minimum":0}`,
				func(a pageArguments) string {
					next := map[int]int{0: 4, 4: 8, 8: 4}[a.Offset]
					return fmt.Sprintf(`{"parts":["part %d","part %d"],"next_offset":%d}`, a.Offset, a.Offset+1, next)
				})},
			{name: "a last page too early", defect: pagedTool(`"cursor":{"type":"string"},`+
				`"limit":{"type":"integer","minimum":1,"maximum":50}`, func(a pageArguments) string {
				return strings.Replace(itemsFrom(0, a.Limit), "{", `{"next_cursor":null,`, 1)
			})},
		},
		"TOOL-057": {{name: "counts the page", defect: pagedTool(`"page_size":{"type":"integer","minimum":1,"maximum":50,"default":4}`,
			func(a pageArguments) string { return countedFrom(0, a.PageSize) })},
			{name: "counts the page of a search", defect: searchTool("Finds parts.", func(a pageArguments) string {
				if !strings.Contains("part", a.Query) {
					return countedFrom(0, 0)
				}
				return countedFrom(0, a.Limit)
			})},
			{name: "counts the page beside the list", defect: searchTool("Finds parts.", func(a pageArguments) string {
				parts, total, _ := strings.Cut(countedFrom(0, a.Limit), `,"total":`)
				return parts + `,"pagination":{"total_count":` + total + "}"
			})}},
		"TOOL-058": {{name: "local time with Z", defect: clockTool(func(now time.Time) string {
			return now.Format("2006-01-02T15:04:05Z")
		})}},
		"TOOL-059": {
			{name: "a check of the first word", defect: queryTool("Runs a query.", true, func(statement string) string {
				if !strings.HasPrefix(statement, "SELECT") && !strings.HasPrefix(statement, "WITH") {
					return "Only SELECT is allowed."
				}
				return executeSQL(statement)
			})},
			{name: "no check", defect: queryTool("Runs a query.", true, executeSQL)},
		},
		"TOOL-055": {
			{name: "reads, waits and writes", defect: voting(true, func(n int64) string { return fmt.Sprintf(`{"votes":%d}`, n) })},
			{name: "in a text", defect: voting(true, func(n int64) string { return fmt.Sprintf(`["This is ticket %d."]`, n) })},
		},
		"TOOL-043": {{name: "the first page again", defect: listing(func(_, limit int) string {
			return []string{"[]", "[1]", "[1,2]", "[1,2,3]"}[limit]
		})}},
		"CANCEL-004": {{name: "ends all", on: OnPipe, patience: time.Second, defect: endsAll},
			{name: "aborts all", defect: abortsAll}},
		"CANCEL-005": {{name: "returns the result", on: OnPipe, defect: func(s *exemplar.Server) {
			s.Stop = func(*exemplar.Call, string) bool { return true }
			onCall("count", func(*exemplar.Call) { time.Sleep(leastStopped + 200*time.Millisecond) })(s)
		}}, {name: "works on", on: OnPipe, defect: onCall("count", func(c *exemplar.Call) {
			for i := range 4 {
				time.Sleep(200 * time.Millisecond)
				if token := At(c.Params, "/_meta/progressToken"); token != nil {
					c.Notify("notifications/progress", fmt.Sprintf(`{"progressToken":%s,"progress":0.%d}`, token, i+1))
				}
			}
		})}},
		"TOOL-044": {{name: "undefined", defect: answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
			if schema.TextAt(c.Params, "/name") != "count" || At(r, "/result/content") == nil {
				return r
			}
			limit := "undefined"
			if given := At(c.Params, "/arguments/limit"); given != nil {
				limit = string(given)
			}
			return edited(r, set("/result/content/0/text", `"`+limit+` of them"`))
		})}, {name: "None for null by default", defect: extraTools(`{"name":"greet","description":"Greets a guest.","inputSchema":{"type":"object",`+
			`"properties":{"title":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}},"additionalProperties":false},`+
			`"annotations":{"readOnlyHint":true}}`, func(_ string, a json.RawMessage) string {
			title, ok := schema.Text(At(a, "/title"))
			if !ok {
				title = "None"
			}
			return fmt.Sprintf(`{"greeting":"Good day, %s Baker"}`, title)
		})}},
		"PROG-005": {{name: "the newest token", on: OnPipe, also: everyCheck(), defect: newestToken}},
		"LOG-005": {{name: "chats", only: []string{"2025-03-26", "2025-06-18", "2025-11-25"},
			defect: func(s *exemplar.Server) {
				s.Plan = func(f *exemplar.Features) { delete(f.Capabilities, "logging") }
				onCall("count", func(c *exemplar.Call) {
					c.Notify("notifications/message", `{"level":"info","data":"counting"}`)
				})(s)
			}}, {name: "two loggers", only: []string{"2025-11-25"},
			defect: func(s *exemplar.Server) {
				s.Plan = func(f *exemplar.Features) { delete(f.Capabilities, "logging") }
				onCall("count", func(c *exemplar.Call) {
					c.Notify("notifications/message", `{"level":"error","logger":"mcp.server.exception_handler","data":"x"}`)
					c.Notify("notifications/message", `{"level":"info","logger":"counter","data":"counting"}`)
				})(s)
			}}},
	}
}

// endsAll drops every call in progress when one is cancelled.
func endsAll(s *exemplar.Server) {
	var cancelled sync.Map
	s.Input = func(l *exemplar.Line, line []byte) bool {
		if bytes.Contains(line, []byte("notifications/cancelled")) && bytes.Contains(line, []byte("mcptest-one-")) {
			cancelled.Store(l.Peer, true)
		}
		return false
	}
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if !bytes.Contains(c.ID, []byte("mcptest-two-")) {
				return next(c)
			}
			for range 200 { // until the cancellation has been read
				if _, ended := cancelled.Load(peerOf(c)); ended {
					return nil
				}
				time.Sleep(5 * time.Millisecond)
			}
			return next(c)
		}
	}
}

// abortsAll makes the calls of a slow tool fail when another one is cancelled.
func abortsAll(s *exemplar.Server) {
	var cancelled atomic.Int64
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if c.Method != "tools/call" || schema.TextAt(c.Params, "/name") != "count" {
				return next(c)
			}
			before := cancelled.Load()
			for range 80 { // 400 ms
				switch {
				case c.Ctx.Err() != nil:
					cancelled.Add(1)
					return nil
				case cancelled.Load() != before:
					return succeed(c, `{"content":[{"type":"text","text":"AbortError"}],"isError":true}`)
				}
				time.Sleep(5 * time.Millisecond)
			}
			return next(c)
		}
	}
}

// newestToken sends the progress of each call with the token of the newest one.
func newestToken(s *exemplar.Server) {
	var newest atomic.Value
	sends("notifications/progress", func(c *exemplar.Call, m []byte) []byte {
		return edited(m, set("/params/progressToken", newest.Load().(string)))
	})(s)
	inner := s.Wrap
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		next = inner(next)
		return func(c *exemplar.Call) []byte {
			if token := At(c.Params, "/_meta/progressToken"); token != nil {
				newest.Store(string(token))
				time.Sleep(20 * time.Millisecond)
			}
			return next(c)
		}
	}
}

// listing makes count return the items that page returns for its valid arguments; without them, offset is 0 and limit 3.
func listing(page func(offset, limit int) string) func(*exemplar.Server) {
	return answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
		if schema.TextAt(c.Params, "/name") != "count" || At(r, "/result/content") == nil || At(r, "/result/isError") != nil {
			return r
		}
		arguments := struct{ Offset, Limit int }{0, 3}
		_ = json.Unmarshal(At(c.Params, "/arguments"), &arguments) // valid, since count responds
		return edited(r, set("/result/content/0/text", strconv.Quote(page(arguments.Offset, arguments.Limit))))
	})
}

// sorting gives count a direction to sort in, and the list for it.
func sorting(list func(direction string) string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				changed := *c
				direction := schema.TextAt(c.Params, "/arguments/order")
				switch asked := At(c.Params, "/arguments/order"); {
				case c.Method != "tools/call" || asked == nil:
				case direction != "asc" && direction != "desc":
					return c.Refuse(-32602, "order is asc or desc")
				default:
					changed.Params = edited(c.Params, remove("/arguments/order"))
				}
				r := next(&changed)
				switch {
				case c.Method == "tools/list":
					return bytes.ReplaceAll(r, []byte(`"limit":{"type":"integer","minimum":1,"maximum":3},`+
						`"offset":{"type":"integer","minimum":0,"maximum":2}`),
						[]byte(`"order":{"type":"string","enum":["asc","desc"]}`))
				case schema.TextAt(c.Params, "/name") == "count" && At(r, "/result/content") != nil:
					return edited(r, set("/result/content/0/text", `"`+list(direction)+`"`))
				}
				return r
			}
		}
	}
}

// extraTools adds tools to the server. Their calls return JSON, or fail with a text that does not begin with [ or {.
func extraTools(definitions string, work func(name string, arguments json.RawMessage) string) func(*exemplar.Server) {
	return toolsOf(definitions, func(_ *exemplar.Call, name string, arguments json.RawMessage) string { return work(name, arguments) })
}

// toolsOf is extraTools for tools whose results depend on the call itself, such as its session.
func toolsOf(definitions string, work func(c *exemplar.Call, name string, arguments json.RawMessage) string) func(*exemplar.Server) {
	rules := map[string]*schema.Schema{}
	tools, err := schema.Elements(json.RawMessage("[" + definitions + "]"))
	if err != nil {
		panic(err)
	}
	for _, t := range tools {
		if rules[schema.TextAt(t, "/name")], err = schema.Compile(At(t, "/inputSchema"), nil); err != nil {
			panic(err)
		}
	}
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				name := schema.TextAt(c.Params, "/name")
				if c.Method == "tools/list" {
					return bytes.Replace(next(c), []byte(`{"name":"count"`), []byte(definitions+`,{"name":"count"`), 1)
				}
				if c.Method != "tools/call" || rules[name] == nil {
					return next(c)
				}
				arguments := At(c.Params, "/arguments")
				if arguments == nil {
					arguments = json.RawMessage("{}")
				}
				if wrong := rules[name].Validate(arguments); len(wrong) > 0 {
					return c.Refuse(-32602, wrong[0].Message)
				}
				said := work(c, name, arguments)
				raw, _ := json.Marshal(said) // marshaling a string never fails
				if !strings.ContainsAny(said[:1], "[{") {
					return succeed(c, `{"content":[{"type":"text","text":`+string(raw)+`}],"isError":true}`)
				}
				structured := ""
				if said[0] == '{' && c.Revision >= "2025-06-18" {
					structured = `,"structuredContent":` + said
				}
				return succeed(c, `{"content":[{"type":"text","text":`+string(raw)+`}]`+structured+`}`)
			}
		}
	}
}

// weather lists cities and returns the weather of one, with the name that a function gives it.
func weather(rules string, name func(city string) string) func(*exemplar.Server) {
	return extraTools(`{"name":"list_cities","description":"Lists the cities.","inputSchema":{"type":"object",`+
		`"additionalProperties":false},"annotations":{"readOnlyHint":true}},{"name":"weather","description":"Returns the `+
		`weather of a city.","inputSchema":{"type":"object","properties":{"city":{"type":"string","description":"Its name.",`+
		rules+`}},"required":["city"],"additionalProperties":false},"annotations":{"readOnlyHint":true}}`,
		func(tool string, a json.RawMessage) string {
			if tool == "list_cities" {
				return `{"cities":[{"city":"Berlin"},{"city":"Oslo"},{"city":"Rome"}]}`
			}
			city := name(schema.TextAt(a, "/city"))
			return fmt.Sprintf(`{"city":%q,"sky":"a sky of %d letters"}`, city, len(city))
		})
}

// voting adds a tool that counts its calls. If it is unsafe, it reads the count, waits and writes it.
func voting(unsafe bool, result func(votes int64) string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var votes atomic.Int64
		extraTools(`{"name":"vote","description":"Votes, and returns the number of votes.","inputSchema":{"type":"object",`+
			`"additionalProperties":false},"annotations":{"readOnlyHint":false}}`, func(string, json.RawMessage) string {
			if !unsafe {
				return result(votes.Add(1))
			}
			n := votes.Load() + 1
			time.Sleep(100 * time.Millisecond)
			votes.Store(n)
			return result(n)
		})(s)
	}
}

// pageArguments are arguments of tools that return a list in pages.
type pageArguments struct {
	Page     int
	PageSize int `json:"page_size"`
	PerPage  int `json:"per_page"`
	Limit    int
	Offset   int
	Cursor   string
	Query    string
}

// pagedTool adds a tool that returns a list in pages.
func pagedTool(properties string, work func(pageArguments) string) func(*exemplar.Server) {
	return partsTool("Lists the parts.", properties, "", work)
}

func partsTool(description, properties, required string, work func(pageArguments) string) func(*exemplar.Server) {
	return extraTools(`{"name":"list_parts","description":"`+description+`","inputSchema":{"type":"object","properties":{`+
		properties+`},"required":[`+required+`],"additionalProperties":false},"annotations":{"readOnlyHint":true}}`,
		func(_ string, raw json.RawMessage) string {
			arguments := pageArguments{Page: 1, PageSize: 4, PerPage: 4, Limit: 4}
			_ = json.Unmarshal(raw, &arguments) // valid for the schema
			return work(arguments)
		})
}

// itemsFrom returns some of 11 parts.
func itemsFrom(start, count int) string {
	var all []string
	for n := max(0, start); n < min(11, start+count); n++ {
		all = append(all, fmt.Sprintf(`{"id":%d,"name":"part %d"}`, n+1, n+1))
	}
	return `{"parts":[` + strings.Join(all, ",") + `],"total":11}`
}

// countedFrom returns some parts with their number as the total.
func countedFrom(start, count int) string {
	all := itemsFrom(start, count)
	return strings.Replace(all, `"total":11`, fmt.Sprintf(`"total":%d`, strings.Count(all, `"id"`)), 1)
}

// chained returns the page at a cursor, with the cursor that a function returns for the position.
func chained(a pageArguments, next func(from int) int) string {
	from, err := strconv.Atoi(a.Cursor)
	if err != nil && a.Cursor != "" {
		return "The cursor is unknown."
	}
	return strings.Replace(itemsFrom(from, a.Limit), "{", fmt.Sprintf(`{"next_cursor":"%d",`, next(from)), 1)
}

// searchTool adds a tool that searches parts.
func searchTool(description string, work func(pageArguments) string) func(*exemplar.Server) {
	return partsTool(description, `"query":{"type":"string","description":"Text in the name."},"limit":{"type":"integer","minimum":1,`+
		`"maximum":50}`, `"query"`, work)
}

// clockTool adds a tool that returns the time in a time zone, in the format of a function.
func clockTool(format func(now time.Time) string) func(*exemplar.Server) {
	return extraTools(`{"name":"world_clock","description":"Returns the time.","inputSchema":{"type":"object","properties":{"timezone":`+
		`{"type":"string","enum":["Asia/Kolkata","America/Sao_Paulo","Europe/Rome"]}},"required":["timezone"],`+
		`"additionalProperties":false},"annotations":{"readOnlyHint":true}}`, func(_ string, a json.RawMessage) string {
		hours := map[string]time.Duration{"Asia/Kolkata": 330, "America/Sao_Paulo": -180}[schema.TextAt(a, "/timezone")]
		zone := time.FixedZone("", int((hours * time.Minute).Seconds()))
		return fmt.Sprintf(`{"time":%q}`, format(time.Now().In(zone)))
	})
}

// queryTool adds a tool that executes SQL, with the name run_sql.
func queryTool(description string, readOnly bool, execute func(statement string) string) func(*exemplar.Server) {
	return extraTools(fmt.Sprintf(`{"name":"run_sql","description":%q,"inputSchema":{"type":"object","properties":{"query":`+
		`{"type":"string"}},"required":["query"],"additionalProperties":false},"annotations":{"readOnlyHint":%v}}`, description, readOnly),
		func(_ string, a json.RawMessage) string { return execute(schema.TextAt(a, "/query")) })
}

// executeSQL executes statements on a database with one table, orders, as far as checks need it.
func executeSQL(statement string) string {
	statement = strings.TrimPrefix(statement, "WITH x AS (SELECT 1) ")
	switch {
	case strings.Contains(statement, "sqlite_master"):
		return "SQL error: no such table: sqlite_master"
	case strings.Contains(statement, "information_schema.tables"):
		return `[{"table_name":"orders"}]`
	case strings.HasSuffix(statement, " FROM orders WHERE 1=0") && !strings.HasPrefix(statement, "DELETEX"):
		return `[]`
	}
	return "SQL error: syntax error or unknown table"
}

// projectTools list projects and return one by its name.
const projectTools = `{"name":"list_projects","description":"Lists the projects.","inputSchema":{"type":"object",` +
	`"additionalProperties":false},"annotations":{"readOnlyHint":true}},{"name":"get_project","description":"Returns a ` +
	`project by its name.","inputSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],` +
	`"additionalProperties":false},"annotations":{"readOnlyHint":true}}`
