package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var run002 = &Check{
	Rule: finding.Rule{
		ID:       "RUN-002",
		Severity: finding.Error,
		Doc: `The server lives through the checks.

A check lost the server: it exited, stayed silent for too long or flooded the client. The check was then tried again on a
new connection with nothing else beside it, and lost the server again. What a client can send must not end a server that
others use, and a request that is never answered blocks whoever made it.`,
	},
	Last: true,
	Run: func(_ context.Context, p *Pass) error {
		for _, n := range p.round.lost.list() {
			if n.check == "" {
				p.Report(Seen{Subject: "connection"}, "the server was lost: %s; want no more than was asked for", n.text)
				continue
			}
			p.Report(Seen{Subject: n.check, Check: n.check}, "the server was lost in %s: %s; want an answer", n.check, n.text)
		}
		return nil
	},
}
