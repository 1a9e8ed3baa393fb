package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var stdio002 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `server should exit when stdin is closed

A client ends the connection by closing stdin. A server that keeps running has to be killed, or keeps its port, lock and
memory. The check waits as long as a response may take, and at least 5 seconds. On Linux it waits up to 20 seconds longer
while the server uses or waits for a CPU. A pending server request does not justify staying: it will never get a response.`,
	},
	On:   OnPipe,
	Slow: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		f, err := p.shutdown(ctx)
		if err != nil {
			return err
		}
		switch {
		case f.exited:
		case len(f.open) > 0:
			p.Report(Evidence{Subject: "exit", Frames: f.open},
				"server did not exit within %v after stdin was closed, with its %s request pending, and was killed, "+
					"expected it to exit on its own",
				f.grace, methodsOf(f.open))
		default:
			p.Report(Evidence{Subject: "exit"}, "server did not exit within %v after stdin was closed", f.grace)
		}
		return nil
	},
}

// methodsOf lists the methods of some requests, each once.
func methodsOf(frames []wire.Frame) string {
	var names []string
	for _, f := range frames {
		if method := clip.Text(mcp.Read(f).Method, 80); !slices.Contains(names, method) {
			names = append(names, method)
		}
	}
	return strings.Join(names, ", ")
}
