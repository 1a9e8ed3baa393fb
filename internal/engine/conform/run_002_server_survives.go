package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var run002 = &Check{
	Rule: finding.Rule{
		ID:       "RUN-002",
		Severity: finding.Error,
		Doc: `server must survive the checks

A check lost the server: it exited, stopped responding or flooded the client. The check was repeated on a new connection
with no other check in parallel, and lost the server again. Client input must not terminate a server that others use,
and a request without a response blocks its caller. A tool, resource or prompt may take long, for example if it waits for the
network: it is reported only if the server does not respond to a health check after it, either.`,
	},
	Last: true,
	Run: func(_ context.Context, p *CheckContext) error {
		for _, n := range p.round.lost.list() {
			if n.check == "" {
				p.Report(Evidence{Subject: "connection"}, "server flooded the client: %s", n.text)
				continue
			}
			p.Report(Evidence{Subject: n.check, Check: n.check}, "server lost during %s: %s", n.check, n.text)
		}
		return nil
	},
}
