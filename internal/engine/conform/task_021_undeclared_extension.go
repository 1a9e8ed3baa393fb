package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var task021 = &Check{
	Rule: finding.Rule{
		ID:       "TASK-021",
		Severity: finding.Error,
		Spec:     tasksSpec,
		Doc: `server must not create a task for a client without the tasks extension

The server decides which calls become tasks, but only for clients that declare the extension. Any other client must
treat the result as invalid. A tool that only runs as a task must fail with error -32021 and name the extension in
data.requiredCapabilities, so that the client can declare it.`,
	},
	Since: spec.July2026,
	Needs: tasksExtension,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.callAs(ctx, func(o *mcp.Options) { o.Tasks = false }, isTask)
		for _, c := range done {
			if isTask(c) {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/resultType"},
					"result is a task although the request does not declare the extension, expected the result "+
						"itself or error -32021")
			}
			p.namesExtension(c.Name, c.Exchange)
		}
		return err
	},
}

// namesExtension expects error -32021 of a request to name the tasks extension.
func (p *CheckContext) namesExtension(subject string, ex *mcp.Exchange) {
	refusal := ex.Reply.Error
	if refusal == nil || refusal.Code != mcp.CodeMissingCapability ||
		At(refusal.Data, "/requiredCapabilities/"+tasksExtension) != nil {
		return
	}
	p.Report(Evidence{Subject: subject, Exchange: ex, Pointer: "/error/data"},
		"error %d does not name the extension in requiredCapabilities: data is %s", refusal.Code, show(refusal.Data))
}
