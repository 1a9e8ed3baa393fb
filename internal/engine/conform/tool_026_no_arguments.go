package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool026 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-026",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#calling-tools"),
		Doc: `call without the field arguments must be handled

The arguments field is optional. A server must treat a call without it like a call with an empty object: run a tool that
requires nothing, and reject the call of any other. A server that fails internally, exits or stops responding does so
for every model that omits the field.`,
	},
	Needs:      "tools",
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.oddArguments(ctx, func(t Tool) []json.RawMessage {
			return []json.RawMessage{mcp.Object("name",
				t.Name)}
		}, "a call that leaves out the field arguments")
	},
}
