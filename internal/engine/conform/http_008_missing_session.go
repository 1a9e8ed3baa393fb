package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http008 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-008",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `missing session id should be rejected with 400, if it is rejected

A server that requires the ID must not use the status for a terminated session: 404 makes a client that merely omitted a
header start a new session. A server that issues IDs without requiring them may serve the request.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Session-Id": nil})
		if err != nil {
			return err
		}
		if a.Status != http.StatusBadRequest && a.Status/100 != 2 {
			p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"},
				"request without the session ID: got HTTP %d, expected 400", a.Status)
		}
		return nil
	},
}
