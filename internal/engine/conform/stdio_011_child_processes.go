package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio011 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-011",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `server should leave no child process running

Child processes must end with the server. A helper that keeps running occupies its port, lock and memory, one more per
connection, and cannot be traced to its owner. It has 3 seconds after the server exited. The check works only on Linux.`,
	},
	On: OnPipe,
	Run: func(ctx context.Context, p *CheckContext) error {
		f, err := p.shutdown(ctx)
		switch {
		case err != nil:
			return err
		case !f.exited:
			return p.Skip("server had to be killed; see STDIO-002")
		case !f.seen:
			return p.Skip("child processes cannot be detected on this system")
		case f.remaining > 0:
			p.Report(Evidence{Subject: "exit"}, "server exited and left %d processes running, expected them to end "+
				"with it", f.remaining)
		}
		return nil
	},
}
