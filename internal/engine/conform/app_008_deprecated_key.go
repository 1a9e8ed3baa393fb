package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app008 = &Check{
	Rule: finding.Rule{
		ID:       "APP-008",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view must be declared in _meta.ui.resourceUri

The flat key ui/resourceUri is deprecated, and hosts will stop reading it. The SDK writes both keys; with different
values, the view depends on the host.

Declare the view in _meta.ui.resourceUri, and use the same URI if you keep the old key for older hosts.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.reportTools(ctx, apps.FlatProblems) },
}
