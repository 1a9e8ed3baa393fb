package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task001 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-001",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks"),
		Doc: `task-augmented call must return a task

The response contains the task and its status, and is sent immediately: the client requested a task to avoid waiting.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *CheckContext) error {
		t, ex, err := p.started(ctx)
		if err != nil {
			return err
		}
		switch id := At(ex.Reply.Result, "/task/taskId"); {
		case ex.Reply.Error != nil:
			p.Report(Evidence{Subject: t.Name, Exchange: ex},
				"call as a task failed with error %d: %s, expected a task, as the tool declares", ex.Reply.Error.Code,
				errorLine(ex.Reply.Error))
		case schema.Kind(id) != '"' || string(id) == `""`:
			p.Report(Evidence{Subject: t.Name, Exchange: ex, Pointer: "/task/taskId"},
				"call as a task returned no task: taskId is %s, expected a string", show(id))
		}
		return nil
	},
}
