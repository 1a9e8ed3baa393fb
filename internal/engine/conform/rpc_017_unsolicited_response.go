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
		Doc: `unsolicited response must not close the connection

A response with an ID that the server never issued must be ignored. It may be late, or meant for another connection
behind the same proxy.`,
	},
	Disruptive: true,
	On:         OnPipe,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.survives(ctx, `{"jsonrpc":"2.0","id":`+unsolicitedID+`,"result":{}}`, "an unsolicited response")
	},
}

// unsolicitedID is the ID of that response.
const unsolicitedID = `"mcptest-17"`
