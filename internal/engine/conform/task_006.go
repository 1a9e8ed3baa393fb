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
		Spec:     spec.URL("2025-11-25", "basic/utilities/tasks#cancelling-tasks"),
		Doc: `A task that is over cannot be cancelled.

What is done is done: cancelling it is refused with error -32602, so that nobody believes it was undone.`,
	},
	Since: "2025-11-25",
	Until: "2025-11-25",
	Needs: "tasks/cancel",
	Run: func(ctx context.Context, p *Pass) error {
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
		p.wantCode(ex, "the cancellation of the task of "+quoted(t.Name)+" after it was over", mcp.CodeInvalidParams)
		return nil
	},
}
