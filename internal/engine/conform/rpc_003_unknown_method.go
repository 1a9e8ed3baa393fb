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
		Doc: `unknown method must fail with -32601

Clients try optional methods and continue after this error. Without a response they wait, after a result they assume
that something was done, and another code looks like a server failure.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.Call(ctx, "mcptest/no-such-method", nil)
		switch {
		case err != nil:
			return err
		case ex.Reply.Error == nil:
			p.Report(Evidence{Exchange: ex, Subject: "unknown method"},
				"unknown method returned a result, expected error %d", mcp.CodeMethodNotFound)
		case ex.Reply.Error.Code != mcp.CodeMethodNotFound:
			p.Report(Evidence{Exchange: ex, Subject: "unknown method"}, "unknown method: got %v, expected error %d",
				ex.Reply.Error, mcp.CodeMethodNotFound)
		}
		return nil
	},
}
