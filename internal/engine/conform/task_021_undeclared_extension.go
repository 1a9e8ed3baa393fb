package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task021 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-021",
		Severity: finding.Error,
		Spec:     "https://modelcontextprotocol.io/extensions/tasks/overview",
		Doc: `server must not create a task for a client without the tasks extension

The server decides which calls become tasks, but only for clients that declare the extension. Any other client must
treat the result as invalid.`,
	},
	Since: spec.July2026,
	Needs: "extensions/io.modelcontextprotocol~1tasks",
	Run: func(ctx context.Context, p *CheckContext) error {
		isTask := func(c CallResult) bool { return schema.TextAt(c.Exchange.Reply.Result, "/resultType") == "task" }
		done, err := p.callAs(ctx, func(o *mcp.Options) { o.Tasks = false }, isTask)
		for _, c := range done {
			if isTask(c) {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/resultType"},
					"result is a task although the request does not declare the extension, expected the result "+
						"itself or error -32021")
			}
		}
		return err
	},
}
