package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life005 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-005",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/utilities/ping"),
		Doc: `ping must return an empty result

Clients use ping to check whether a connection still works. They disconnect from a server that does not respond.`,
	},
	Until: spec.NewestLegacy,
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.Call(ctx, "ping", nil)
		switch {
		case err != nil:
			return err
		case ex.Reply.Error != nil:
			p.Report(Evidence{Exchange: ex}, "ping: got %v, expected an empty result", ex.Reply.Error)
		case !emptyResult(ex.Reply.Result):
			p.Report(Evidence{Exchange: ex}, "ping: got %s, expected an empty result", show(ex.Reply.Result))
		}
		return nil
	},
}
