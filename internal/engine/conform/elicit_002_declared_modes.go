package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var elicit002 = &Check{
	Rule: finding.Rule{
		ID:       "ELICIT-002",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "client/elicitation#capabilities"),
		Doc: `server must request only what the client declared

Elicitation, sampling and roots require a client that declares them. A client that does not cannot respond, and the call
fails or hangs.`,
	},
	Until: spec.November2025,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.callWithoutCapabilities(ctx)
		for _, c := range done {
			for _, q := range questionsOf(c) {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: q.Pointer},
					"server requested %s although the client declared no capabilities, expected an error", q.Method)
			}
		}
		return err
	},
}
