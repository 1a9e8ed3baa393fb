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
		Doc: `input_required result must have inputRequests or requestState

An input_required result has inputRequests, requestState, or both. With neither, a client can only repeat the same call
indefinitely.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, _, err := p.Suspended(ctx)
		for _, c := range done {
			if result := c.Exchange.Reply.Result; At(result, "/inputRequests") == nil &&
				At(result, "/requestState") == nil {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange},
					"result is input_required but has neither inputRequests nor requestState, expected at least one")
			}
		}
		return err
	},
}
