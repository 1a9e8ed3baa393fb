package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task006 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-006",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks#cancelling-tasks"),
		Doc: `cancelling a finished task must fail

A finished task cannot be undone: cancelling it must fail with error -32602, so that no client assumes it was.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks/cancel",
	Run: func(ctx context.Context, p *CheckContext) error {
		t, id, err := p.taskID(ctx)
		if err != nil {
			return err
		}
		if _, err := p.taskResult(ctx, id); err != nil {
			return err
		}
		ex, err := p.tryCall(ctx, "tasks/cancel", mcp.Object("taskId", id))
		if err != nil {
			return err
		}
		p.expectCode(ex, "cancelling the task of "+quoted(t.Name)+" after it finished", mcp.CodeInvalidParams)
		return nil
	},
}
