package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http004 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#security-warning"),
		Doc: `A request from a foreign page is refused.

A browser says in Origin which page makes a request. A server that does not look at it can be driven by any page that the user
of the machine opens (DNS rebinding): it reads the user's files for a stranger. An Origin that is not allowed is refused with
403.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Origin": {"http://mcptest-foreign.example"}})
		switch {
		case err != nil:
			return err
		case a.Status/100 == 2:
			p.Report(Seen{Answer: a, Subject: "Origin"}, "a request with the Origin of a foreign page was served with HTTP %d; want 403", a.Status)
		case a.Status != http.StatusForbidden && p.Revision.ID >= "2025-11-25":
			p.Warn(Seen{Answer: a, Subject: "Origin"}, "a request with the Origin of a foreign page was refused with HTTP %d; want 403", a.Status)
		}
		return nil
	},
}
