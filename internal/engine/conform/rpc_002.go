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
		Doc: `A number as id comes back as the same number.

Zero is an id like any other, and so is the largest integer that every JSON reader keeps exact. A server that takes zero for
an absent id treats a request as a notification.`,
	},
	Run: func(ctx context.Context, p *Pass) error { return p.echoed(ctx, "0", "9007199254740991") },
}
