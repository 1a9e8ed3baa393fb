package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc007 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic"),
		Doc: `A JSON value that is no message does not end the connection.

A number, a string or an object without a method is JSON, but no request. It is refused or ignored, and the next request is
served.`,
	},
	Disruptive: true,
	On:         OnPipe,
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		return p.survives(ctx, `{"jsonrpc":"2.0","id":"mcptest-7"}`, "an object that is no message")
	},
}
