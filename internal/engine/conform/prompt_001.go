package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt001 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/prompts#listing-prompts"),
		Doc: `A server that declares prompts lists them.

Hosts show prompts as commands for people. A server that declares the capability answers prompts/list, page by page,
with an array.`,
	},
	Needs: "prompts",
	Run:   func(ctx context.Context, p *Pass) error { return p.answered(ctx, "prompts/list") },
}
