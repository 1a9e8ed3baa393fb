package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app117 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-117",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view that starts with the handshake of a client

A view starts with the request ui/initialize, with appInfo and appCapabilities. An example in an older text of the
specification used initialize with clientInfo, as clients do; hosts do not answer it and keep the frame hidden.

Use the App class of @modelcontextprotocol/ext-apps, or send ui/initialize and then ui/notifications/initialized.`,
	},
	Entry: func(p *Pass) {
		if html, ok := p.viewDocument(); ok && apps.WrongHandshake(html) {
			p.Report("/text", "the view starts with initialize and clientInfo, expected ui/initialize with appInfo")
		}
	},
}
