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
		Doc: `The pages of the list of prompts come to an end.

A cursor that comes again, is no string or leads on for ever makes a client read the same prompts until it gives up.`,
	},
	Needs: "prompts",
	Run:   func(ctx context.Context, p *Pass) error { return p.ended(ctx, "prompts/list") },
}
