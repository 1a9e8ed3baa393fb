package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool007 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#data-types"),
		Doc: `inputSchema must be a JSON Schema of type object

Models generate arguments from the schema and clients validate with it. If it cannot be compiled, or its root is not of
type object, the tool is unusable, and in some hosts all other tools as well.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.schemasCompile(ctx, "inputSchema") },
}
