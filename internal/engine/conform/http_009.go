package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http009 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-009",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/transports#streamable-http"),
		Doc: `A session that was ended is gone.

DELETE ends a session, or is refused with 405. After it a request in the session gets 404: a server which serves it has not
ended anything, and keeps for ever what belongs to the session.`,
	},
	Since: "2025-03-26",
	Until: mcp.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		ended, err := p.Fetch(ctx, Fetch{Method: http.MethodDelete, Header: v.Header("", "")})
		switch {
		case err != nil:
			return err
		case ended.Status == http.StatusMethodNotAllowed:
			return p.Skip("the server does not let clients end sessions")
		case ended.Status/100 != 2:
			p.Report(Seen{Answer: ended, Subject: "DELETE"}, "DELETE of the own session was answered with HTTP %d; want 2xx or 405", ended.Status)
			return nil
		}
		a, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if a.Status != http.StatusNotFound {
			p.Report(Seen{Answer: a, Subject: "Mcp-Session-Id"}, "a request in a session that was ended was answered with HTTP %d; want 404", a.Status)
		}
		return nil
	},
}
