package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app015 = &Check{
	Rule: finding.Rule{
		ID:       "APP-015",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view should be smaller than 2 MB

Hosts read the whole document before they show it, for each call, and some limit its size: Mattermost to 4 MiB.

Minify the bundle, remove source maps and unused libraries, and load large data with a tool call.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		const limit = 2_000_000
		return p.eachDocument(ctx, func(v appView, html string) {
			if len(html) > limit {
				p.Report(Evidence{Subject: v.URI, Exchange: v.Read}, "the view has %.1f MB, expected at most 2 MB",
					float64(len(html))/1e6)
			}
		})
	},
}
