package conform

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task005 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-005",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks#listing-tasks"),
		Doc: `tasks/list should include new tasks and reject unknown cursors

After a restart, a client uses the list to find its tasks that are still in progress.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks/list",
	Run: func(ctx context.Context, p *CheckContext) error {
		t, id, err := p.taskID(ctx)
		if err != nil {
			return err
		}
		ex, err := p.Call(ctx, "tasks/list", nil)
		if err != nil {
			return err
		}
		tasks, _ := schema.Elements(At(ex.Reply.Result, "/tasks"))
		known := slices.ContainsFunc(tasks, func(task json.RawMessage) bool {
			return string(At(task,
				"/taskId")) == string(id)
		})
		if !known && At(ex.Reply.Result, "/nextCursor") == nil {
			p.Report(Evidence{Subject: t.Name, Exchange: ex, Pointer: "/tasks"},
				"tasks/list does not contain %s, expected it to", show(id))
		}
		bad, err := p.tryCall(ctx, "tasks/list", mcp.Object("cursor", "mcptest-no-such-cursor"))
		if err != nil {
			return err
		}
		p.expectCode(bad, "unknown cursor", mcp.CodeInvalidParams)
		return nil
	},
}
