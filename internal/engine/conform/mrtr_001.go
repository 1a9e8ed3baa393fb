package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var mrtr001 = &Check{
	Rule: finding.Rule{
		ID:       "MRTR-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/patterns/mrtr"),
		Doc: `A result that asks for input says what it needs.

input_required has inputRequests, requestState, or both. With neither a client can only make the same call again, for
ever.`,
	},
	Since: "2026-07-28",
	Run: func(ctx context.Context, p *Pass) error {
		done, _, err := p.Suspended(ctx)
		for _, c := range done {
			if result := c.Exchange.Reply.Result; At(result, "/inputRequests") == nil && At(result, "/requestState") == nil {
				p.Report(Seen{Subject: c.Name, Exchange: c.Exchange}, "the result is input_required and has neither inputRequests nor requestState; want at least one")
			}
		}
		return err
	},
}
