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
		Doc: `A request without a session id is refused with 400.

A server that needs the id says so. One that serves the request all the same, in whose session is anybody's guess.`,
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
		if a.Status != http.StatusBadRequest {
			p.Report(Seen{Answer: a, Subject: "Mcp-Session-Id"}, "a request without the session id was answered with HTTP %d; want 400", a.Status)
		}
		return nil
	},
}
