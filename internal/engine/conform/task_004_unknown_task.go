package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task004 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-004",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks#error-handling"),
		Doc: `unknown task must fail with -32602

A client that requests an expired or nonexistent task must get an error.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.tryCall(ctx, "tasks/get", mcp.Object("taskId", "mcptest-no-such-task"))
		if err != nil {
			return err
		}
		p.expectCode(ex, "unknown task", mcp.CodeInvalidParams)
		return nil
	},
}
