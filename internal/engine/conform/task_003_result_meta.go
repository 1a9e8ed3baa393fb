package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task003 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-003",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks#related-task-metadata"),
		Doc: `tasks/result must name its task in _meta

The result of tasks/result has the format of the call result, so the task can only be named in _meta:
io.modelcontextprotocol/related-task.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *CheckContext) error {
		t, id, err := p.taskID(ctx)
		if err != nil {
			return err
		}
		ex, err := p.taskResult(ctx, id)
		if err != nil {
			return err
		}
		if got := At(ex.Reply.Result, "/_meta/io.modelcontextprotocol~1related-task/taskId"); ex.Reply.Error == nil &&
			string(got) != string(id) {
			p.Report(Evidence{Subject: t.Name, Exchange: ex, Pointer: "/_meta"},
				"taskId of the related task is %s, expected %s", show(got), show(id))
		}
		return nil
	},
}
