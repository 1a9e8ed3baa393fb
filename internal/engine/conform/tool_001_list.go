package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool001 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#listing-tools"),
		Doc: `server that declares tools must implement tools/list

Clients find tools with tools/list and show none if it fails. A server that declares the capability must return an array
of tools, page by page.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.expectResponse(ctx, "tools/list") },
}
