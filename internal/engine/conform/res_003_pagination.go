package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res003 = &Check{
	Rule: finding.Rule{
		ID:       "RES-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/pagination"),
		Doc: `resources/list pagination must end

If a cursor repeats, is not a string or never ends, a client reads the same resources until it stops.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.ended(ctx, "resources/list") },
}
