package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app017 = &Check{
	Rule: finding.Rule{
		ID:       "APP-017",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view should start with ui/initialize

A view starts with the request ui/initialize, with appInfo and appCapabilities. An example in an older text of the
specification used initialize with clientInfo, as clients do; hosts do not answer it and keep the frame hidden.

Use the App class of @modelcontextprotocol/ext-apps, or send ui/initialize and then ui/notifications/initialized.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachDocument(ctx, func(v appView, html string) {
			if apps.WrongHandshake(html) {
				p.Report(Evidence{Subject: v.URI, Exchange: v.Read},
					"the view starts with initialize and clientInfo, expected ui/initialize with appInfo")
			}
		})
	},
}
