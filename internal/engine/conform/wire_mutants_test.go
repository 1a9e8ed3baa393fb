package conform

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func wireMutants() map[string][]mutant {
	return map[string][]mutant{
		"WIRE-001": {{name: "a description that is a number", also: []string{"RES-014"},
			defect: reply("resources/list", set("/result/resources/0/description", `5`))},
			{name: "a null cursor in lists, one of them served too early", on: OnPipe,
				only: strings.Fields("2025-06-18 2025-11-25"), with: []string{"LIFE-004"}, also: []string{"LIFE-004"},
				defect: func(s *exemplar.Server) {
					before(s)
					early := s.Wrap
					s.Wrap = func(next exemplar.Handler) exemplar.Handler {
						next = early(next)
						return func(c *exemplar.Call) []byte {
							r := next(c)
							if c.Method != "tools/list" || At(r, "/result/tools") == nil || At(r, "/result/nextCursor") != nil {
								return r
							}
							return edited(r, set("/result/nextCursor", `null`))
						}
					}
				}},
			{name: "annotations of the one known item", with: []string{"TOOL-016"},
				only: strings.Fields("2025-11-25 2026-07-28"), defect: knownItem}},
		"WIRE-002": {{name: "no message", also: []string{"RPC-013"}, with: []string{"RPC-003"},
			defect: answer("*", func(_ *exemplar.Call, r []byte) []byte {
				return edited(r, remove("/error/message"))
			})}},
		"WIRE-003": {{name: "a level that is none", defect: first("tools/list", func(c *exemplar.Call) {
			c.Notify("notifications/message", `{"level":"loud","data":"x"}`)
		})}, {name: "a method with a typo", defect: first("tools/list", func(c *exemplar.Call) {
			c.Notify("notifications/mesage", `{"level":"info","data":"x"}`)
		})}, {name: "warn instead of warning", with: []string{"LOG-003"}, also: []string{"LOG-004"},
			defect: onCall("count", func(c *exemplar.Call) {
				c.Notify("notifications/message", `{"level":"warn","data":"counting"}`)
			})}},
		"WIRE-004": {{name: "sampling without messages",
			only: strings.Fields("2024-11-05 2025-03-26 2025-06-18 2025-11-25"),
			defect: first("tools/list", func(c *exemplar.Call) {
				c.Ask("sampling/createMessage", `{"maxTokens":10}`)
			})}},
	}
}

// first does something before the answer to a method.
func first(method string, do func(*exemplar.Call)) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == method && c.Fault == nil && (c.Modern || c.Revision != "") {
					do(c)
				}
				return next(c)
			}
		}
	}
}

// knownItem makes echo a tool that finds one item only, whose ID is in the description of its argument.
func knownItem(s *exemplar.Server) {
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			r := next(c)
			switch {
			case c.Method == "tools/list":
				return edited(r, set("/result/tools/0/inputSchema/properties/text/description", `"Text, e.g. item-3."`))
			case c.Method != "tools/call" || schema.TextAt(c.Params, "/name") != "echo" || c.Fault != nil:
				return r
			case schema.TextAt(c.Params, "/arguments/text") != "item-3":
				return edited(r, set("/result/isError", `true`))
			}
			return edited(r, set("/result/content/0/annotations", `{"audience":["model"],"priority":5}`))
		}
	}
}
