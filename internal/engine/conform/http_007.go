package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http007 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-007",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-11-25", "basic/transports#streamable-http"),
		Doc: `A request in a session that there is not is refused with 404.

The status tells a client that its session is gone and that it has to begin a new one. With any other status it goes on trying,
or gives up. The specification demands it of sessions that have ended (HTTP-009) and implies it here, so this is a warning.`,
	},
	Since: "2025-03-26",
	Until: mcp.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Session-Id": {"mcptest-no-such-session"}})
		if err != nil {
			return err
		}
		if a.Status != http.StatusNotFound {
			p.Report(Seen{Answer: a, Subject: "Mcp-Session-Id"}, "a request in a session that there is not was answered with HTTP %d; want 404", a.Status)
		}
		return nil
	},
}
