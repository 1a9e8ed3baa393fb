package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app101 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-101",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view of a tool is not a ui:// resource

A host reads the resource in _meta.ui.resourceUri and shows it. With another scheme the user sees an empty frame or an
error.

Register the view as a resource whose URI starts with ui://, and name exactly that URI.`,
	},
	Check: func(p *Pass) { p.reportApps(apps.URIProblems(p.Tool.Raw)) },
}
