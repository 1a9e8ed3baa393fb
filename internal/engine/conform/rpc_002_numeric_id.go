package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc002 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `numeric request ids must be returned unchanged

Zero is a valid ID, and so is the largest integer that every JSON parser represents exactly. A server that treats zero
as absent takes the request for a notification.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error { return p.echoed(ctx, "0", "9007199254740991") },
}
