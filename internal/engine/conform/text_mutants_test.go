package conform

import (
	"bytes"

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
		"LOG-005": {{name: "chats", only: []string{"2025-03-26", "2025-06-18", "2025-11-25"},
			defect: func(s *exemplar.Server) {
				s.Plan = func(f *exemplar.Features) { delete(f.Capabilities, "logging") }
				onCall("count", func(c *exemplar.Call) {
					c.Notify("notifications/message", `{"level":"info","data":"counting"}`)
				})(s)
			}}},
	}
}
