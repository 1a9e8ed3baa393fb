package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http042 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-042",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#session-management"),
		Doc: `session must not depend on the TCP connection

A session is identified by Mcp-Session-Id alone. Clients open a new connection for each concurrent request and after
an idle time, and proxies use other connections than the client. A session that ends with its connection fails at
random.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		if before, err := v.Ping(ctx, nil); err != nil || before.Reply() == nil || before.Reply().Error != nil {
			return errOr(err, p.Skip("ping fails in a new session"))
		}
		p.recorder.client.CloseIdleConnections()
		a, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if reply := a.Reply(); reply == nil || reply.Error != nil {
			p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"},
				"ping over a new TCP connection failed with HTTP %d, expected the session to continue", a.Status)
		}
		return nil
	},
}
