package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app114 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-114",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `unknown permission of a view

A view can request camera, microphone, geolocation and clipboardWrite, each with an empty object as its value. Hosts
ignore others, or reject the resource.

Use only these keys, with {} as the value.`,
	},
	Entry: func(p *Pass) { p.reportSettings(apps.PermissionProblems) },
}
