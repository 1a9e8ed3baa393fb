package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task008 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-008",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks#tool-level-negotiation"),
		Doc: `call as a task should fail with -32601 if the tool does not support tasks

If the server returns a plain result, a client that waits for a task has nothing to poll.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.Callable(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			if t.support() != "" && t.support() != "forbidden" {
				continue
			}
			ex, err := p.tryCall(ctx, "tools/call",
				mcp.Object("name", t.Name, "arguments", t.Arguments, "task", json.RawMessage(`{"ttl":1000}`)))
			if died(err) && p.alive(ctx) {
				return p.Skip("call of %s as a task timed out", quoted(t.Name))
			}
			if err != nil {
				return err
			}
			p.expectCode(ex, "call of "+quoted(t.Name)+", which does not support tasks, as a task",
				mcp.CodeMethodNotFound)
			return nil
		}
		return p.Skip("every callable tool supports tasks")
	},
}
