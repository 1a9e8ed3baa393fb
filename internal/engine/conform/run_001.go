package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var run001 = &Check{
	Rule: finding.Rule{
		ID:       "RUN-001",
		Severity: finding.Info,
		Doc: `Something that should be there for a check to be possible is not.

A server that declares tools and lists none, or resources of which none can be read, may be right: perhaps there are none
today. But what was not checked must not look as if it were right, so it is told here, check by check.`,
	},
	Last: true,
	Run: func(_ context.Context, p *Pass) error {
		for _, n := range p.round.missing.list() {
			p.Report(Seen{Subject: n.check, Check: n.check}, "could not be checked: %s; want what the check needs", n.text)
		}
		return nil
	},
}
