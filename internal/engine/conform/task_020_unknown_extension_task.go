package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task020 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-020",
		Severity: finding.Error,
		Spec:     "https://modelcontextprotocol.io/extensions/tasks/overview",
		Doc: `unknown task (extension) must fail with -32602

A client that requests an expired or nonexistent task must get an error.`,
	},
	Since: spec.July2026,
	Needs: "extensions/io.modelcontextprotocol~1tasks",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.tryCall(ctx, "tasks/get", mcp.Object("taskId", "mcptest-no-such-task"))
		if err != nil {
			return err
		}
		p.expectCode(ex, "unknown task", mcp.CodeInvalidParams)
		return nil
	},
}
