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
		Spec:     spec.URL("2025-11-25", "client/elicitation#capabilities"),
		Doc: `A client is asked only for what it has declared.

Elicitation, sampling and roots need a client that has declared them. One that has not cannot answer, and the call
fails or waits for ever.`,
	},
	Until: "2025-11-25",
	Run: func(ctx context.Context, p *Pass) error {
		done, err := p.callAs(ctx, helpless, inquires)
		for _, c := range done {
			for _, q := range questionsOf(c) {
				p.Report(Seen{Subject: c.Name, Exchange: c.Exchange, Pointer: q.Pointer}, "the server asked for %s although the client has declared no capability; want a refusal", q.Method)
			}
		}
		return err
	},
}
