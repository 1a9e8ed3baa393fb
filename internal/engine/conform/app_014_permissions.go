package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app014 = &Check{
	Rule: finding.Rule{
		ID:       "APP-014",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `permissions of a view must be known

A view can request camera, microphone, geolocation and clipboardWrite, each with an empty object as its value. Hosts
ignore others, or reject the resource.

Use only these keys, with {} as the value.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.eachSettings(ctx, apps.PermissionProblems) },
}
