package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app113 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-113",
		Severity: finding.Info,
		Spec:     appsSpec,
		Doc: `domain of a view that one host alone accepts

Claude expects a subdomain of claudemcpcontent.com that is derived from the URL of the server, ChatGPT an https origin
of the publisher. One value cannot serve both, and a host that cannot use it may reject the view.

Set domain according to the client that is connected, or omit it if the view needs no fixed origin.`,
	},
	Entry: func(p *Pass) { p.reportSettings(apps.DomainProblems) },
}
