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
		Doc: `server must request input only from clients that declared support

A server must respect the capabilities declared in each request. It must not request input that the client did not
declare; error -32021 reports what a call requires.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.callWithoutCapabilities(ctx)
		for _, c := range done {
			for _, q := range questionsOf(c) {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: q.Pointer},
					"result requests %s although the request declares no capabilities, expected error -32021 or a "+
						"result without it", q.Method)
			}
		}
		return err
	},
}
