package conform

import (
	"cmp"
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc014 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-014",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `Each request is answered once.

A second answer to a request, or one to a request that was never made, belongs to nobody. Clients that reuse ids take it for
the answer to something else.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		if s, err := p.Session(ctx); err == nil && len(p.round.lost.list()) == 0 && !p.round.locked {
			_, _ = p.Alive(ctx, s) // whatever stands behind the last answer has come once this one is here
		}
		told := map[string]bool{} // one for each method is enough
		for _, s := range p.round.judge.seen(&p.round.judge.strays) {
			if p.round.told(s) || told[s.method] {
				continue
			}
			told[s.method] = true
			p.Report(Seen{Subject: s.method, Frames: s.frames}, "%s with id %s; want one answer to each request and none to what was not asked", cmp.Or(s.text, "an answer that nobody waits for,"), show(s.message.ID))
		}
		return nil
	},
}
