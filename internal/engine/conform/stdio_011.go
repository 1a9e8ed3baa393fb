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
		Doc: `The server leaves no process behind.

What a server has started ends with it. A helper that stays keeps its port, its lock and its memory, one more for each time that
a client connects, and nobody knows any more whose it is. It has three seconds after the server has exited. This can be seen on
Linux alone.`,
	},
	On: OnPipe,
	Run: func(ctx context.Context, p *Pass) error {
		f, err := p.farewell(ctx)
		switch {
		case err != nil:
			return err
		case !f.exited:
			return p.Skip("the server had to be ended; STDIO-002 tells")
		case !f.seen:
			return p.Skip("what a server leaves behind cannot be seen on this system")
		case f.left > 0:
			p.Report(Seen{Subject: "exit"}, "the server exited and left processes behind (%d); want them to end with it", f.left)
		}
		return nil
	},
}
