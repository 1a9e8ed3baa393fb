package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app013 = &Check{
	Rule: finding.Rule{
		ID:       "APP-013",
		Severity: finding.Info,
		Spec:     appsSpec,
		Doc: `domain of a view is different for each host

Claude expects a subdomain of claudemcpcontent.com that is derived from the URL of the server, ChatGPT an https origin
of the publisher. One value cannot serve both, and a host that cannot use it may reject the view.

Set domain according to the client that is connected, or omit it if the view needs no fixed origin.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.eachSettings(ctx, apps.DomainProblems) },
}
