package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app006 = &Check{
	Rule: finding.Rule{
		ID:       "APP-006",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `visibility of a tool must be a list of model and app

The list says who may call the tool: the model, the views of the server, or both, which is the default. Hosts that read
the list strictly reject other values, and with an empty list nobody can call the tool.

Use ["model","app"], ["model"] or ["app"], or omit visibility.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.reportTools(ctx, apps.VisibilityProblems) },
}
