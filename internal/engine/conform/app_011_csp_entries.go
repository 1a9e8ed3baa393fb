package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app011 = &Check{
	Rule: finding.Rule{
		ID:       "APP-011",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `csp entries must be origins

Hosts copy the entries into the content security policy. An entry with a space, a quote or a semicolon changes other
parts of the policy, and * allows every server: hosts that check entries ignore them, and the view stays blank. Paths
and other schemes are ignored too.

Use https or wss origins without a path, and * only as the first label: https://*.example.com.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.eachSettings(ctx, apps.CSPProblems) },
}
