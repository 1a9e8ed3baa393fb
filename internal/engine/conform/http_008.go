package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http008 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-008",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-11-25", "basic/transports#streamable-http"),
		Doc: `A request without a session id is refused with 400, if at all.

A server that needs the id says so, and with another status than for a session that has ended: 404 makes a client begin anew
that has only forgotten a header. A server that gives out ids and does not need them may serve the request.`,
	},
	Since: "2025-03-26",
	Until: mcp.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		if v.Session == "" {
			return p.Skip("the server keeps no sessions")
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Session-Id": nil})
		if err != nil {
			return err
		}
		if a.Status != http.StatusBadRequest && a.Status/100 != 2 {
			p.Report(Seen{Answer: a, Subject: "Mcp-Session-Id"}, "a request without the session id was answered with HTTP %d; want 400", a.Status)
		}
		return nil
	},
}
