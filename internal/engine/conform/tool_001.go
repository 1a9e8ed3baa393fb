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
		Doc: `A server that declares tools lists them.

Clients find tools by tools/list and show none where it fails. A server that declares the capability answers it, page
by page, with an array of tools.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *Pass) error { return p.answered(ctx, "tools/list") },
}
