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
		Spec:     spec.URL(spec.November2025, "basic/utilities/tasks#tool-level-negotiation"),
		Doc: `call without a task must fail with -32601 if taskSupport is required

With taskSupport required, a call never blocks its client. A client that does not support tasks must get an error
instead of hanging.`,
	},
	Since: spec.November2025,
	Until: spec.November2025,
	Needs: "tasks/requests/tools/call",
	Run: func(ctx context.Context, p *CheckContext) error {
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
			p.expectCode(ex, "call of "+quoted(t.Name)+", which requires a task, without one", mcp.CodeMethodNotFound)
		}
		if !tried {
			return p.Skip("no callable tool requires a task")
		}
		return nil
	},
}
