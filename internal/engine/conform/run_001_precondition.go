package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var run001 = &Check{
	Rule: finding.Rule{
		ID:       "RUN-001",
		Severity: finding.Info,
		Doc: `precondition of a check is missing

A server that declares tools and lists none, or whose resources cannot be read, may be correct: perhaps it has none at
the moment. But an unchecked requirement must not look like a passed one, so it is reported here, check by check.`,
	},
	Last: true,
	Run: func(_ context.Context, p *CheckContext) error {
		for _, n := range p.round.missing.list() {
			p.Report(Evidence{Subject: n.check, Check: n.check}, "not checked: %s, expected what the check requires",
				n.text)
		}
		return nil
	},
}
