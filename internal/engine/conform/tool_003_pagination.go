package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool003 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/pagination"),
		Doc: `tools/list pagination must end

If a cursor repeats, is not a string or never ends, a client reads the same tools until it stops.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.ended(ctx, "tools/list") },
}
