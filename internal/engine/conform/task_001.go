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
		Spec:     spec.URL("2025-11-25", "basic/utilities/tasks"),
		Doc: `A call that is made as a task brings a task.

The answer names the task and how it stands, and comes at once: that is what a client that does not want to wait has
asked for.`,
	},
	Since: "2025-11-25",
	Until: "2025-11-25",
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *Pass) error {
		t, ex, err := p.started(ctx)
		if err != nil {
			return err
		}
		switch id := At(ex.Reply.Result, "/task/taskId"); {
		case ex.Reply.Error != nil:
			p.Report(Seen{Subject: t.Name, Exchange: ex}, "the call as a task was refused with error %d: %s; want a task, as the tool declares", ex.Reply.Error.Code, said(ex.Reply.Error))
		case schema.Kind(id) != '"' || string(id) == `""`:
			p.Report(Seen{Subject: t.Name, Exchange: ex, Pointer: "/task/taskId"}, "the call as a task was answered without one: taskId is %s; want a text", show(id))
		}
		return nil
	},
}
