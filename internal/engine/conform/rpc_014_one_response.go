package conform

import (
	"cmp"
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc014 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-014",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `each request must be answered exactly once

A second response to a request, or a response to a request that was never sent, matches nothing. Clients that reuse IDs
attribute it to another request.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		if s, err := p.Session(ctx); err == nil && len(p.round.lost.list()) == 0 && !p.round.locked {
			_, _ = p.Alive(ctx, s) // messages after the last response have arrived once this one is received
		}
		told := map[string]bool{} // one for each method is enough
		for _, s := range p.round.validator.observations(&p.round.validator.strays) {
			if p.round.alreadyReported(s) || told[s.method] || rejectsResponse(s.message) {
				continue
			}
			told[s.method] = true
			if s.retyped != nil {
				p.Report(s.proof(), "response has id %s, expected %s: the id of the request, with the same type",
					show(s.message.ID), show(s.retyped))
				continue
			}
			what := cmp.Or(s.text, "unsolicited response with id "+show(s.message.ID))
			if e := s.message.Error; e != nil {
				what += fmt.Sprintf(" (error %d: %s)", e.Code, errorLine(e))
			}
			p.Report(Evidence{Subject: s.method, Frames: s.frames},
				"%s, expected exactly 1 response per request", what)
		}
		return nil
	},
}

// rejectsResponse reports whether a message rejects our unsolicited response as a request that is not valid, which is as good as
// ignoring it.
func rejectsResponse(m mcp.Message) bool {
	return m.Error != nil && string(m.ID) == unsolicitedID && m.Error.Code == mcp.CodeInvalidRequest
}
