package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task002 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-002",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks#getting-tasks"),
		Doc: `tasks/get must return the task

tasks/get returns the requested task. A client polls it until the task is finished.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *CheckContext) error {
		t, id, err := p.taskID(ctx)
		if err != nil {
			return err
		}
		ex, err := p.Call(ctx, "tasks/get", mcp.Object("taskId", id))
		if err != nil {
			return err
		}
		switch got := At(ex.Reply.Result, "/taskId"); {
		case ex.Reply.Error != nil:
			p.Report(Evidence{Subject: t.Name, Exchange: ex},
				"tasks/get of a new task failed with error %d: %s, expected the task", ex.Reply.Error.Code,
				errorLine(ex.Reply.Error))
		case string(got) != string(id):
			p.Report(Evidence{Subject: t.Name, Exchange: ex, Pointer: "/taskId"}, "taskId is %s, expected %s",
				show(got), show(id))
		}
		return nil
	},
}
