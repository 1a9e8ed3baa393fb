package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool008 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-008",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#output-schema"),
		Doc: `outputSchema must be a valid JSON Schema

Clients validate structured results with it. If it cannot be compiled, they drop the result or the tool. Up to
2025-11-25, its root is of type object.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.schemasCompile(ctx, "outputSchema") },
}
