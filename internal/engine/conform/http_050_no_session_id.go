package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http050 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-050",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/transports#session-management"),
		Doc: `request without a session ID should not be served in another client's session

The response to a request without Mcp-Session-Id, over a new connection, has the session ID that the server issued to another
client. Whoever sends no ID then uses the session of somebody else, with its log level, subscriptions and state, and learns its ID.
Reject such requests with 400.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		if p.Target.Header.Get("Authorization") != "" || p.Target.Header.Get("Cookie") != "" {
			return p.Skip("the server may identify the client by its credentials")
		}
		issued := map[string]bool{}
		for range sessionTries {
			v, err := p.VisitSession(ctx)
			if err != nil {
				return err
			}
			if issued[v.Session] {
				return p.Skip("the server issues the same session ID to all clients") // HTTP-026 reports it
			}
			issued[v.Session] = true
			p.recorder.client.CloseIdleConnections()
			a, err := v.Ping(ctx, http.Header{"Mcp-Session-Id": nil})
			if err != nil || a.Status/100 != 2 {
				return err
			}
			reply, used := a.Reply(), a.Header.Get("Mcp-Session-Id")
			if len(issued) > 1 && issued[used] && reply != nil && reply.Error == nil {
				p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"},
					"request without a session ID: expected HTTP 400, got a result with the session ID of another client")
				return nil
			}
		}
		return nil
	},
}

// sessionTries is how many sessions are opened: meanwhile, other checks open some.
const sessionTries = 4
