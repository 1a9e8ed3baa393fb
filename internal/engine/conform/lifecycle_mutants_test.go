package conform

import (
	"strings"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func lifecycleMutants() map[string][]mutant {
	return map[string][]mutant{
		"LIFE-001": {
			{name: "no serverInfo", defect: reply("initialize", remove("/result/serverInfo"))},
			{name: "capabilities are a list", defect: reply("initialize", set("/result/capabilities", `[]`)), also: []string{}},
		},
		"LIFE-002": {{name: "echoes any revision", defect: negotiates(func(asked string) bool { return asked > "2026" })}},
		"LIFE-003": {{name: "echoes old revisions", defect: negotiates(func(asked string) bool { return asked < "2024" })}},
		"LIFE-004": {{name: "serves everybody", defect: before}},
		"LIFE-005": {{name: "pong", defect: reply("ping", set("/result/pong", `true`))}},
		"LIFE-020": {{name: "no versions", defect: reply("server/discover", set("/result/supportedVersions", `["2025-11-25","2026-07-2800"]`))}},
		"LIFE-021": {{name: "another code", defect: faulty(-32022, -32602, askedIn("2099-12-31"))}},
	}
}

// negotiates echoes some revisions that it does not know.
func negotiates(echoed func(string) bool) func(*exemplar.Server) {
	return answer("initialize", func(c *exemplar.Call, r []byte) []byte {
		asked := TextAt(c.Params, "/protocolVersion")
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
