package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc012 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-012",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/versioning"),
		Doc: `server must not send requests in revisions from 2026-07-28 on

A server requests client input in its result, as inputRequests. Clients do not respond to a request from the server, so
a call that waits for the response never ends.`,
	},
	Since: spec.NewestModern,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.serverRequests) {
			p.Report(Evidence{Subject: s.method, Frames: s.frames},
				"server sent the request %s, expected none: the revision has no server requests",
				clip.Text(s.method, 60))
		}
		return nil
	},
}
