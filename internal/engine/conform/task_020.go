package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

var task020 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-020",
		Severity: finding.Error,
		Spec:     "https://modelcontextprotocol.io/extensions/tasks/overview",
		Doc: `A task of the extension that does not exist is refused with error -32602.

A client that asks about a task that has expired, or never was, has to learn it.`,
	},
	Since: "2026-07-28",
	Needs: "extensions/io.modelcontextprotocol~1tasks",
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.tryCall(ctx, "tasks/get", mcp.Object("taskId", "mcptest-no-such-task"))
		if err != nil {
			return err
		}
		p.wantCode(ex, "a task that does not exist", mcp.CodeInvalidParams)
		return nil
	},
}
