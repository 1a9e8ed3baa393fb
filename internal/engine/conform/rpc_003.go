package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc003 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#error-responses"),
		Doc: `An unknown method is refused with -32601.

Clients try what a server may not have, and go on when it says so. Silence makes them wait, success makes them believe that
something was done, and another code looks like a failure of the server.`,
	},
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.Call(ctx, "mcptest/no-such-method", nil)
		switch {
		case err != nil:
			return err
		case ex.Reply.Error == nil:
			p.Report(Seen{Exchange: ex, Subject: "unknown method"}, "an unknown method was answered with a result; want error %d", mcp.CodeMethodNotFound)
		case ex.Reply.Error.Code != mcp.CodeMethodNotFound:
			p.Report(Seen{Exchange: ex, Subject: "unknown method"}, "an unknown method was answered with %v; want error %d", ex.Reply.Error, mcp.CodeMethodNotFound)
		}
		return nil
	},
}
