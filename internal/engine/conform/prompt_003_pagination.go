package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt003 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/pagination"),
		Doc: `prompts/list pagination must end

If a cursor repeats, is not a string or never ends, a client reads the same prompts until it stops.`,
	},
	Needs: "prompts",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.ended(ctx, "prompts/list") },
}
