package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc001 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `string request ids must be returned unchanged

Clients match responses to requests by ID. If the ID is returned as another value, or as a number because it looks like
one, it matches no request and the client waits until its timeout. A server that rejects string IDs, and accepts the same
request with an integer, does not work with clients that use strings.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error { return p.echoed(ctx, `"mcptest-é-1"`, `"0042"`) },
}
