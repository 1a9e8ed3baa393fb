package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http009 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-009",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `deleted session must be rejected with 404

DELETE terminates a session, or returns 405. Afterwards, requests in the session return 404. A server that still serves
them has not terminated the session and never releases its resources.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		ended, err := p.Fetch(ctx, Fetch{Method: http.MethodDelete, Header: v.Header("", "")})
		switch {
		case err != nil:
			return err
		case ended.Status == http.StatusMethodNotAllowed:
			return p.Skip("server does not let clients terminate sessions")
		case ended.Status/100 != 2:
			p.Report(Evidence{Answer: ended, Subject: "DELETE"},
				"DELETE of the client's own session: got HTTP %d, expected 2xx or 405", ended.Status)
			return nil
		}
		a, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if a.Status != http.StatusNotFound {
			p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"},
				"request in a terminated session: got HTTP %d, expected 404", a.Status)
		}
		return nil
	},
}
