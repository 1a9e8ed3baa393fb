package conform

import (
	"strings"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func rpcMutants() map[string][]mutant {
	return map[string][]mutant{
		"RPC-001": {{name: "numbers what looks like one", defect: retyped(`"0042"`, `42`), timeout: second}},
		"RPC-002": {
			{name: "zero as text", defect: retyped("0", `"0"`), timeout: second},
			{name: "rounds", defect: retyped("9007199254740991", "9007199254740990"), timeout: second},
		},
		"RPC-003": {
			{name: "another code", defect: unknownMethod(func(c *exemplar.Call) []byte { return c.Refuse(-32603, "oops") })},
			{name: "a result", defect: unknownMethod(func(c *exemplar.Call) []byte { return succeed(c, `{"ok":true}`) })},
		},
	}
}

// retyped changes an id in every answer.
func retyped(id, into string) func(*exemplar.Server) {
	return answer("*", func(c *exemplar.Call, r []byte) []byte {
		if string(c.ID) != id {
			return r
		}
		return []byte(strings.Replace(string(r), `"id":`+id, `"id":`+into, 1))
	})
}

// unknownMethod answers methods that do not exist.
func unknownMethod(h exemplar.Handler) func(*exemplar.Server) {
	return instead("mcptest/no-such-method", h)
}
