package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt002 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#listing-prompts"),
		Doc: `prompts/list should be stable between clients

If the order of a list differs between readings, hosts assume that the list has changed.`,
	},
	Needs: "prompts",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.repeated(ctx, "prompts/list") },
}
