package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var mrtr002 = &Check{
	Rule: finding.Rule{
		ID:       "MRTR-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/patterns/mrtr"),
		Doc: `Input is asked only of a client that has declared that it can give it.

A server looks at the capabilities that each request declares. What a client has not declared it must not be asked
for; error -32021 says what a call needs.`,
	},
	Since: "2026-07-28",
	Run: func(ctx context.Context, p *Pass) error {
		done, err := p.callAs(ctx, helpless, inquires)
		for _, c := range done {
			for _, q := range questionsOf(c) {
				p.Report(Seen{Subject: c.Name, Exchange: c.Exchange, Pointer: q.Pointer}, "the result asks for %s although the request declares no capability; want error -32021 or a result without it", q.Method)
			}
		}
		return err
	},
}
