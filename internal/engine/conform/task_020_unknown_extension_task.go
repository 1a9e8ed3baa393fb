package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task020 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-020",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `unknown task (extension) must fail with -32602

A client that requests an expired or nonexistent task must get an error. For tasks/update and tasks/cancel, the error is
recommended.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.tryCall(ctx, "tasks/get", taskParams("tasks/get", noSuchTask))
		if err != nil {
			return err
		}
		p.expectCode(ex, "unknown task", mcp.CodeInvalidParams)
		for _, method := range []string{"tasks/update", "tasks/cancel"} {
			ex, err := p.tryCall(ctx, method, taskParams(method, noSuchTask))
			if err != nil {
				return err
			}
			if ex != nil && ex.Reply.Error == nil {
				p.Warn(Evidence{Exchange: ex}, "unknown task: expected error %d, got a result", mcp.CodeInvalidParams)
			}
		}
		return nil
	},
}
