package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task022 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-022",
		Severity: finding.Error,
		Spec:     "https://modelcontextprotocol.io/extensions/tasks/overview",
		Doc: `finished task (extension) must have a result or an error

tasks/get returns the status of a task by its ID. A completed task has the result of the call, a failed one its error.`,
	},
	Since: spec.July2026,
	Needs: "extensions/io.modelcontextprotocol~1tasks",
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.openCalls(ctx)
		if err != nil {
			return err
		}
		for _, c := range all.done {
			if schema.TextAt(c.Exchange.Reply.Result, "/resultType") == "task" {
				return p.followed(ctx, all.session, c)
			}
		}
		return p.Skip("no call created a task")
	},
}

// followed polls a task until it is finished, or the timeout of a response.
func (p *CheckContext) followed(ctx context.Context, s *mcp.Session, c CallResult) error {
	id := At(c.Exchange.Reply.Result, "/taskId")
	for end := time.Now().Add(p.Timeout()); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ex, err := p.CallIn(ctx, s, "tasks/get", mcp.Object("taskId", id))
		if err != nil {
			return err
		}
		result, status := ex.Reply.Result, schema.TextAt(ex.Reply.Result, "/status")
		seen := Evidence{Subject: c.Name, Exchange: ex}
		switch {
		case ex.Reply.Error != nil:
			p.Report(seen, "tasks/get of a new task failed with error %d: %s, expected the task", ex.Reply.Error.Code,
				errorLine(ex.Reply.Error))
			return nil
		case string(At(result, "/taskId")) != string(id):
			p.Report(seen, "taskId is %s, expected %s", show(At(result, "/taskId")), show(id))
			return nil
		case status == "completed" && At(result, "/result") == nil, status == "failed" && At(result, "/error") == nil:
			p.Report(seen, "task is %s but has neither result nor error, expected the outcome of the call", status)
			return nil
		case status != "working":
			return nil
		}
	}
	return p.Skip("task did not finish in time")
}
