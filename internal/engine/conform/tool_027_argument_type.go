package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool027 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-027",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#calling-tools"),
		Doc: `arguments that are not an object must be rejected

A string, an array or a number as arguments is a client error. A server must reject it with -32602 or isError, and serve
the next call as before. A server that runs the tool anyway uses arguments that the caller did not provide.`,
	},
	Needs:      "tools",
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.oddArguments(ctx, func(t Tool) []json.RawMessage {
			var all []json.RawMessage
			for _, value := range []string{`"a"`, `["a"]`, `7`} {
				all = append(all, mcp.Object("name", t.Name, "arguments", json.RawMessage(value)))
			}
			return all
		}, "a call whose arguments are not an object")
	},
}
