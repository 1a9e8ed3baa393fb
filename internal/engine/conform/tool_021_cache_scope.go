package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool021 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-021",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/caching"),
		Doc: `cacheScope of tools/list must be the same on all pages

If a list is private on one page and public on another, a shared cache stores only part of it.`,
	},
	Since: spec.July2026,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.oneScope(ctx, "tools/list") },
}
