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
		Doc: `foreign Origin must be rejected with 403

A browser sends the page that makes a request in Origin. A page whose host name resolves to 127.0.0.1 (DNS rebinding)
can reach a local server, with that name in Host and Origin. A server that accepts such a request exposes the user's
files to the page; this is an error. The specification requires servers to validate Origin and to reject an invalid one
with 403.

The server decides which origins are valid; the specification only implies that a foreign one is not. These cases are
therefore warnings: a local server that accepts a foreign Origin but not the matching foreign Host (as most SDKs do),
because it is not vulnerable to rebinding; and a remote server that accepts a foreign Origin, because it may intend to
serve all pages.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		if open, err := v.rebindingRequest(ctx); err != nil || open {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Origin": {"http://" + foreignHost}})
		switch seen := (Evidence{Answer: a, Subject: "Origin"}); {
		case err != nil:
			return err
		case a.Status/100 == 2 && near(p.Target):
			p.Warn(seen, "request with a foreign Origin: got HTTP %d, expected 403 (the foreign Host was rejected)",
				a.Status)
		case a.Status/100 == 2:
			p.Warn(seen, "request with a foreign Origin: got HTTP %d, expected 403 unless the server is meant for "+
				"all pages", a.Status)
		case a.Status != http.StatusForbidden && p.Revision.OriginStatus:
			p.Warn(seen, "request with a foreign Origin was rejected with HTTP %d, expected 403", a.Status)
		}
		return nil
	},
}

// rebindingRequest sends the request of a page whose host name resolves to this machine, and reports whether it was
// served.
func (v *HTTPSession) rebindingRequest(ctx context.Context) (open bool, err error) {
	if !near(v.p.Target) {
		return false, nil // DNS rebinding does not affect remote servers
	}
	a, err := v.Ping(ctx, http.Header{"Host": {foreignHost}, "Origin": {"http://" + foreignHost}})
	if err != nil || a.Status/100 != 2 {
		return false, err
	}
	v.p.Report(Evidence{Answer: a, Subject: "Origin"},
		"request with a foreign Host and Origin: got HTTP %d, expected 403", a.Status)
	return true, nil
}
