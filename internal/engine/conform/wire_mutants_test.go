package conform

import (
	"strings"

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
				}}},
		"WIRE-002": {{name: "no message", also: []string{"RPC-013"}, with: []string{"RPC-003"},
			defect: answer("*", func(_ *exemplar.Call, r []byte) []byte {
				return edited(r, remove("/error/message"))
			})}},
		"WIRE-003": {{name: "a level that is none", defect: first("tools/list", func(c *exemplar.Call) {
			c.Notify("notifications/message", `{"level":"loud","data":"x"}`)
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
