package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app016 = &Check{
	Rule: finding.Rule{
		ID:       "APP-016",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `read of an unknown view should fail with -32602

A host that asks for a view that does not exist must get an error: otherwise it shows an empty frame. Up to 2025-11-25
the code -32002 is also in use.

Return error -32602 for ui:// URIs that the server does not have.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		if _, err := p.Views(ctx); err != nil {
			return err
		}
		ex, err := p.tryCall(ctx, "resources/read", mcp.Object("uri", "ui://mcptest-no-such-view/index.html"))
		if err != nil {
			return err
		}
		codes := []int64{mcp.CodeInvalidParams}
		if !p.Modern() {
			codes = append(codes, -32002)
		}
		p.expectCode(ex, "unknown view", codes...)
		return nil
	},
}
