package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

var task021 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-021",
		Severity: finding.Error,
		Spec:     "https://modelcontextprotocol.io/extensions/tasks/overview",
		Doc: `No task is made for a client that has not declared the extension.

The server decides what becomes a task, but only for a client that knows what a task is. Any other has to treat the
result as invalid.`,
	},
	Since: "2026-07-28",
	Needs: "extensions/io.modelcontextprotocol~1tasks",
	Run: func(ctx context.Context, p *Pass) error {
		isTask := func(c Called) bool { return TextAt(c.Exchange.Reply.Result, "/resultType") == "task" }
		done, err := p.callAs(ctx, func(o *mcp.Options) { o.Tasks = false }, isTask)
		for _, c := range done {
			if isTask(c) {
				p.Report(Seen{Subject: c.Name, Exchange: c.Exchange, Pointer: "/resultType"}, "the result is a task although the request does not declare the extension; want the result itself or error -32021")
			}
		}
		return err
	},
}
