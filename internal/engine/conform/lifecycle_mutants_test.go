package conform

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func lifecycleMutants() map[string][]mutant {
	return map[string][]mutant{
		"LIFE-001": {
			{name: "no serverInfo", defect: reply("initialize", remove("/result/serverInfo"))},
			{name: "capabilities are a list", defect: reply("initialize", set("/result/capabilities", `[]`)),
				also: []string{"LIFE-009", "LIFE-011", "LOG-005"}},
		},
		"LIFE-002": {
			{name: "echoes any revision", defect: negotiates(func(asked string) bool { return asked > "2026" })},
			// all other checks go on with the requested revision
			{name: "a revision that does not exist", on: OnPipe, also: []string{"LIFE-003"},
				defect: reply("initialize", set("/result/protocolVersion", `"2025-09-31"`))},
		},
		"LIFE-003": {{name: "echoes old revisions",
			defect: negotiates(func(asked string) bool { return asked < "2024" })}},
		"LIFE-004": {{name: "serves everybody", defect: before}, {name: "exits", process: true, defect: exitsBefore}},
		"LIFE-005": {{name: "pong", defect: reply("ping", set("/result/pong", `true`))}},
		"LIFE-006": {
			{name: "nameless", defect: answer("*", func(_ *exemplar.Call, r []byte) []byte {
				return edited(edited(r, set("/result/serverInfo/name", `""`)),
					set("/result/_meta/io.modelcontextprotocol~1serverInfo/name", `""`))
			})},
		},
		"LIFE-007": {
			{name: "true", defect: plan(func(f *exemplar.Features) { f.Capabilities["logging"] = `true` })},
			{name: "yes",
				defect: plan(func(f *exemplar.Features) { f.Capabilities["prompts"] = `{"listChanged":"yes"}` })},
		},
		"LIFE-008": {{name: "no prompts", also: []string{"PROMPT-001", "RUN-001"},
			defect: instead("prompts/list", func(c *exemplar.Call) []byte { return c.Refuse(-32601, "no") })}},
		"LIFE-009": {
			{name: "secret prompts", defect: plan(func(f *exemplar.Features) { delete(f.Capabilities, "prompts") })},
			{name: "secret tools", also: []string{"LIFE-011"},
				defect: plan(func(f *exemplar.Features) { delete(f.Capabilities, "tools") })},
		},
		"LIFE-010": {{name: "takes anything", defect: func(s *exemplar.Server) {
			answer("initialize", func(c *exemplar.Call, r []byte) []byte {
				if At(r, "/error") != nil {
					return c.Result(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x",` +
						`"version":"1"}}`)
				}
				return r
			})(s)
		}}},
		"LIFE-011": {{name: "tells all the same", defect: func(s *exemplar.Server) {
			plan(func(f *exemplar.Features) { f.Capabilities["prompts"] = `{}` })(s)
			first("tools/list", func(c *exemplar.Call) { c.Notify("notifications/prompts/list_changed", `{}`) })(s)
		}, only: []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}}},
		"LIFE-012": {
			{name: "grows in silence", also: []string{"TOOL-001", "TOOL-002", "TOOL-035"}, defect: grows},
			{name: "publishes in silence", also: []string{"RES-002", "RES-006"}, defect: publishes},
		},
		"LIFE-014": {{name: "tools", defect: notifiesEach("tools")}, {name: "prompts", defect: notifiesEach("prompts")}},
		"LIFE-015": {
			{name: "rejects the header", only: []string{"2025-03-26", "2025-11-25", "2026-07-28"},
				defect: instant(func(r *http.Request, _ []byte) bool {
					return r.Header.Get("Mcp-Protocol-Version") == "2025-06-18"
				}, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
					serve.WriteReply(w, http.StatusBadRequest, []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,`+
						`"message":"Unsupported protocol version"}}`))
				})},
			{name: "requires the header", only: []string{"2025-11-25", "2026-07-28"}, also: []string{"HTTP-019"},
				defect: instant(func(r *http.Request, body []byte) bool {
					return r.Header.Get("Mcp-Protocol-Version") == "" && schema.TextAt(body, "/method") == "tools/list"
				}, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
					http.Error(w, "no MCP-Protocol-Version", http.StatusBadRequest)
				})},
		},
		"LIFE-022": {{name: "another code", defect: faulty(-32022, -32602, askedIn("1900-01-01"))}},
		"LIFE-023": {
			{name: "another code", also: []string{"LIFE-028", "HTTP-019"}, defect: faultily(whoAreYou)},
			{name: "another code, one era", on: OnPipe, also: []string{"LIFE-028"}, defect: func(s *exemplar.Server) {
				faultily(whoAreYou)(s)
				s.Plan = func(f *exemplar.Features) { f.Revisions = f.Revisions[:1] }
			}},
		},
		"LIFE-024": {{name: "served", defect: faultily(func(c *exemplar.Call) []byte {
			if At(c.Params, "/_meta/io.modelcontextprotocol~1protocolVersion") == nil ||
				At(c.Params, "/_meta/io.modelcontextprotocol~1clientCapabilities") != nil {
				return nil
			}
			return succeed(c, `{"tools":[],"ttlMs":1,"cacheScope":"public"}`)
		})}},
		"LIFE-025": {{name: "insists", defect: answer("server/discover", func(c *exemplar.Call, r []byte) []byte {
			if c.Modern && At(c.Params, "/_meta/io.modelcontextprotocol~1clientInfo") == nil {
				return c.Refuse(-32602, "clientInfo is required")
			}
			return r
		})}},
		"LIFE-026": {{name: "ping", defect: func(s *exemplar.Server) {
			answer("ping", func(c *exemplar.Call, r []byte) []byte {
				if c.Modern {
					return succeed(c, `{"pong":1}`)
				}
				return r
			})(s)
		}}},
		"LIFE-027": {{name: "nobody", defect: reply("server/discover", remove("/result/_meta"))}},
		"LIFE-028": {{name: "remembers", defect: func(s *exemplar.Server) {
			var known sync.Map
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					if c.Fault == nil {
						known.Store(c.Peer, true)
					}
					if _, met := known.Load(c.Peer); met && c.Fault != nil && At(c.Params, "/_meta") == nil {
						return succeed(c, `{"tools":[],"ttlMs":1,"cacheScope":"public"}`)
					}
					return next(c)
				}
			}
		}}},
		"LIFE-031": {
			{name: "one of the future", only: []string{"2026-07-28"}, also: []string{"LIFE-021"},
				defect: reply("server/discover", set("/result/supportedVersions/0", `"2027-01-15"`),
					set("/result/supportedVersions/1", `"2026-07-28"`))},
			{name: "no handshake", only: []string{"2026-07-28"}, defect: instead("initialize",
				func(c *exemplar.Call) []byte { return c.Refuse(-32602, "_meta is required") })},
			{name: "another revision", on: OnPipe, only: []string{"2025-11-25"}, defect: listsOldest},
		},
		"LIFE-032": {{name: "remembers", defect: remembersCapabilities}},
		"LIFE-029": {{name: "served", defect: faultily(func(c *exemplar.Call) []byte {
			if !strings.Contains(string(c.Params), ":20260728") {
				return nil
			}
			return succeed(c, `{"tools":[],"ttlMs":1,"cacheScope":"public"}`)
		})}},
		"LIFE-020": {{name: "no versions", defect: reply("server/discover",
			set("/result/supportedVersions", `["2025-11-25","2026-07-2800"]`))}},
		"LIFE-021": {{name: "another code", defect: faulty(-32022, -32602, askedIn("2099-12-31"))}},
	}
}

// negotiates echoes some revisions that it does not know.
func negotiates(echoed func(string) bool) func(*exemplar.Server) {
	return answer("initialize", func(c *exemplar.Call, r []byte) []byte {
		asked := schema.TextAt(c.Params, "/protocolVersion")
		if echoed(asked) {
			return edited(r, set("/result/protocolVersion", `"`+asked+`"`))
		}
		return r
	})
}

// before serves lists without a handshake.
func before(s *exemplar.Server) {
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if c.Fault != nil && c.Method == "tools/list" && At(c.Params, "/_meta") == nil {
				return c.Result(`{"tools":[]}`)
			}
			return next(c)
		}
	}
}

// faulty answers with another code than the clean server where that refuses with one.
func faulty(code, other int, which func(*exemplar.Call) bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Fault != nil && c.Fault.Code == code && which(c) {
					return c.Refuse(other, "refused")
				}
				return next(c)
			}
		}
	}
}

// askedIn tells requests in a revision.
func askedIn(revision string) func(*exemplar.Call) bool {
	return func(c *exemplar.Call) bool { return strings.Contains(string(c.Params), revision) }
}

// faultily answers what the clean server refuses before it looks at the method; nil leaves it to that.
func faultily(h exemplar.Handler) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Fault != nil {
					if r := h(c); r != nil {
						return r
					}
				}
				return next(c)
			}
		}
	}
}

// plan changes what the server has.
func plan(change func(*exemplar.Features)) func(*exemplar.Server) {
	return func(s *exemplar.Server) { s.Plan = change }
}

// grows adds a tool each time that the list is read.
func grows(s *exemplar.Server) {
	var count atomic.Int32
	answer("tools/list", func(c *exemplar.Call, r []byte) []byte {
		return edited(r, set("/result/tools/0/name", fmt.Sprintf(`"tool-%d"`, count.Add(1))))
	})(s)
}

// publishes changes a resource before each request for the list but the first.
func publishes(s *exemplar.Server) {
	var count atomic.Int32
	answer("resources/list", func(c *exemplar.Call, r []byte) []byte {
		if n := count.Add(1); n > 1 {
			return edited(r, set("/result/resources/0/uri", fmt.Sprintf(`"demo://%d"`, n)))
		}
		return r
	})(s)
}

// notifiesEach notifies clients of a changed list whenever they request it.
func notifiesEach(list string) func(*exemplar.Server) {
	return answer(list+"/list", func(c *exemplar.Call, r []byte) []byte {
		c.Notify("notifications/"+list+"/list_changed", `{}`)
		return r
	})
}

// whoAreYou refuses requests without metadata with a code of its own.
func whoAreYou(c *exemplar.Call) []byte {
	if At(c.Params, "/_meta") != nil {
		return nil
	}
	return c.Refuse(-32600, "who are you?")
}

// exitsBefore ends the process on a request before initialize.
func exitsBefore(s *exemplar.Server) {
	s.Input = func(l *exemplar.Line, line []byte) bool {
		if method := schema.TextAt(line, "/method"); method == "initialize" {
			s.Input = nil
		} else if strings.HasSuffix(method, "/list") {
			os.Exit(1)
		}
		return false
	}
}

// listsOldest lists a revision in server/discover that the handshake does not return.
func listsOldest(s *exemplar.Server) {
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			switch {
			case c.Method == "server/discover" && !c.Modern:
				return c.Result(`{"supportedVersions":["2025-11-25","2024-11-05"],"capabilities":{}}`)
			case c.Method == "initialize" && schema.TextAt(c.Params, "/protocolVersion") == "2024-11-05":
				return edited(next(c), set("/result/protocolVersion", `"2025-11-25"`))
			}
			return next(c)
		}
	}
}

// remembersCapabilities lets a tool request a missing argument as soon as any request of the connection declared roots.
func remembersCapabilities(s *exemplar.Server) {
	var declared sync.Map
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if c.Method != "tools/call" || c.Fault != nil || !c.Modern {
				return next(c)
			}
			if At(c.Params, "/_meta/io.modelcontextprotocol~1clientCapabilities/roots") != nil {
				declared.Store(c.Peer, true)
			}
			_, asks := declared.Load(c.Peer)
			if !asks || schema.TextAt(c.Params, "/name") != "count" || At(c.Params, "/arguments/limit") != nil ||
				At(c.Params, "/inputResponses") != nil {
				return next(c)
			}
			return c.Result(`{"resultType":"input_required","inputRequests":{"limit":{"method":"roots/list"}}}`)
		}
	}
}
