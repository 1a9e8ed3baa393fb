package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app111 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-111",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `csp entry that is not an origin

Hosts copy the entries into the content security policy. An entry with a space, a quote or a semicolon changes other
parts of the policy, and * allows every server: hosts that check entries ignore them, and the view stays blank. Paths
and other schemes are ignored too.

Use https or wss origins without a path, and * only as the first label: https://*.example.com.`,
	},
	Entry: func(p *Pass) { p.reportSettings(apps.CSPProblems) },
}
