package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app010 = &Check{
	Rule: finding.Rule{
		ID:       "APP-010",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view should load only from origins in its csp

The policy of a view blocks everything that is not declared: a script from a CDN, a font, an image or a request leaves
the view blank or incomplete, without an error in the host. The check finds what the HTML names; it does not run
scripts.

Add the origin to the list that the finding names, or include the file in the HTML.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachDocument(ctx, func(v appView, html string) {
			csp := v.settingOf("csp")
			for _, load := range apps.Loads(html) {
				if !apps.Allows(csp, load.List, load.Origin) {
					p.Report(Evidence{Subject: v.URI, Exchange: v.Read}, "the view loads from %s (%s), which its csp does "+
						"not allow, expected the origin in _meta.ui.csp.%s", clip.Text(load.Origin, 100), load.From, load.List)
				}
			}
		})
	},
}
