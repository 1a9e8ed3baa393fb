package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc012 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-012",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic/versioning"),
		Doc: `The server sends no requests in the modern era.

What a server needs from its client stands in its result, as inputRequests. A request from the server is answered by nobody,
so that the call which waits for it never ends.`,
	},
	Since: mcp.NewestModern,
	Last:  true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		for _, s := range p.round.judge.seen(&p.round.judge.wanted) {
			p.Report(Seen{Subject: s.method, Frames: s.frames}, "the server sent the request %s; want none: the revision has no requests from servers", clip(s.method, 60))
		}
		return nil
	},
}
