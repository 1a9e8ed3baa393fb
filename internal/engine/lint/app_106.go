package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app106 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-106",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `visibility is not a list of model and app

The list says who may call the tool: the model, the views of the server, or both, which is the default. Hosts that read
it strictly reject other values, and with an empty list nobody can call the tool.

Use ["model","app"], ["model"] or ["app"], or omit visibility.`,
	},
	Check: func(p *Pass) { p.reportApps(apps.VisibilityProblems(p.Tool.Raw)) },
}
