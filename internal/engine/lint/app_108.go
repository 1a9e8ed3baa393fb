package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app108 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-108",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view is declared with the deprecated key

The flat key ui/resourceUri is deprecated, and hosts will stop reading it. With different values in both keys, the view
depends on the host.

Declare the view in _meta.ui.resourceUri, and use the same URI if you keep the old key for older hosts.`,
	},
	Check: func(p *Pass) { p.reportApps(apps.FlatProblems(p.Tool.Raw)) },
}
