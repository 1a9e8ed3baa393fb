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
		Spec:     spec.URL("2025-11-25", "basic/utilities/tasks#tool-level-negotiation"),
		Doc: `A tool that does not run as a task refuses such a call with error -32601.

A server that answers with a plain result leaves a client that waits for a task with nothing to ask about.`,
	},
	Since: "2025-11-25",
	Until: "2025-11-25",
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *Pass) error {
		tools, err := p.Callable(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			if t.support() != "" && t.support() != "forbidden" {
				continue
			}
			ex, err := p.tryCall(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments, "task", json.RawMessage(`{"ttl":1000}`)))
			if died(err) && p.stillThere(ctx) {
				return p.Skip("a call of %s as a task was not answered in time", quoted(t.Name))
			}
			if err != nil {
				return err
			}
			p.wantCode(ex, "a call of "+quoted(t.Name)+", which does not run as a task, as one", mcp.CodeMethodNotFound)
			return nil
		}
		return p.Skip("every tool that may be called runs as a task")
	},
}
