package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app012 = &Check{
	Rule: finding.Rule{
		ID:       "APP-012",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view should not need embedded pages

Not every host supports frameDomains: claude.ai ignored it until at least May 2026, so that the embedded page stays
empty.

Show the content without an iframe, or a link (ui/open-link) where the page cannot be embedded.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.eachSettings(ctx, apps.FrameProblems) },
}
