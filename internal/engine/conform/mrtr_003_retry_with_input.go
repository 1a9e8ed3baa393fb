package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var mrtr003 = &Check{
	Rule: finding.Rule{
		ID:       "MRTR-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/patterns/mrtr"),
		Doc: `retried call with the requested input must proceed

The client repeats the call with the requested input and the unchanged requestState. The server must continue the call;
it must not reject its own state.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, s, err := p.Suspended(ctx)
		if err != nil {
			return err
		}
		for _, c := range done {
			ex, err := p.resumed(ctx, s, c, nil)
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil {
				p.Report(Evidence{Subject: c.Name, Exchange: ex},
					"call with the requested input and the unchanged requestState failed with error %d: %s, expected "+
						"it to continue", refusal.Code, errorLine(refusal))
			}
		}
		return nil
	},
}
