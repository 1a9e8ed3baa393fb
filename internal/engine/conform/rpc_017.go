package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc017 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-017",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `An answer to nothing does not end the connection.

A response with an id that the server never gave out is ignored. It may be late, or meant for another connection behind the
same proxy.`,
	},
	Disruptive: true,
	On:         OnPipe,
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		return p.survives(ctx, `{"jsonrpc":"2.0","id":"mcptest-17","result":{}}`, "an answer to nothing")
	},
}
