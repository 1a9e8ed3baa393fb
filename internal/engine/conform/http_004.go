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

A browser says in Origin which page makes a request. A page that points its own name at 127.0.0.1 (DNS rebinding) reaches a
server on the user's machine, with that name in Host and in Origin: a server that serves such a request reads the user's files
for a stranger. That is an error. The specification has the Origin validated against it, and what is not valid refused with 403.

Which pages are valid is for the server to say, and the specification only implies that a foreign one is not. So these are
warnings: a server on this machine that serves a foreign Origin but not the foreign Host that comes with it, as most SDKs have
it, for it is not open to rebinding; and a server elsewhere that serves a foreign Origin, for it may mean to serve every page.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		if open, err := v.rebound(ctx); err != nil || open {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Origin": {"http://" + foreignHost}})
		switch seen := (Seen{Answer: a, Subject: "Origin"}); {
		case err != nil:
			return err
		case a.Status/100 == 2 && near(p.Target):
			p.Warn(seen, "a request with the Origin of a foreign page was served with HTTP %d, though not with the page's Host as well; want 403", a.Status)
		case a.Status/100 == 2:
			p.Warn(seen, "a request with the Origin of a foreign page was served with HTTP %d; want 403, unless the server is for every page", a.Status)
		case a.Status != http.StatusForbidden && p.Revision.ID >= "2025-11-25":
			p.Warn(seen, "a request with the Origin of a foreign page was refused with HTTP %d; want 403", a.Status)
		}
		return nil
	},
}

// foreignHost is the name of a page that no server knows.
const foreignHost = "mcptest-foreign.example"

// rebound makes the request of a page that has pointed its own name at this machine, and reports whether it was served.
func (v *Visit) rebound(ctx context.Context) (open bool, err error) {
	if !near(v.p.Target) {
		return false, nil // no page gains by it
	}
	a, err := v.Ping(ctx, http.Header{"Host": {foreignHost}, "Origin": {"http://" + foreignHost}})
	if err != nil || a.Status/100 != 2 {
		return false, err
	}
	v.p.Report(Seen{Answer: a, Subject: "Origin"}, "a request with the Host and the Origin of a foreign page was served with HTTP %d; want 403", a.Status)
	return true, nil
}
