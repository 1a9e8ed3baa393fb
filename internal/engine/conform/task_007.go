package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task007 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-007",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/utilities/tasks#tool-level-negotiation"),
		Doc: `A tool that runs as a task alone refuses any other call with error -32601.

taskSupport required is a promise that a call never keeps its client waiting. A client that does not know tasks is
told so, and does not hang.`,
	},
	Since: "2025-11-25",
	Until: "2025-11-25",
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *Pass) error {
		tools, err := p.Callable(ctx)
		if err != nil {
			return err
		}
		tried := false
		for _, t := range tools {
			if t.support() != "required" {
				continue
			}
			tried = true
			ex, err := p.tryCall(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
			if err != nil {
				return err
			}
			p.wantCode(ex, "a call of "+quoted(t.Name)+", which runs as a task alone, without one", mcp.CodeMethodNotFound)
		}
		if !tried {
			return p.Skip("no tool that may be called requires a task")
		}
		return nil
	},
}
