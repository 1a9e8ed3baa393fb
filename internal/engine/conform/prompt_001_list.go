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
		Doc: `server that declares prompts must implement prompts/list

Hosts show prompts as commands to users. A server that declares the capability must return an array from prompts/list,
page by page.`,
	},
	Needs: "prompts",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.expectResponse(ctx, "prompts/list") },
}
