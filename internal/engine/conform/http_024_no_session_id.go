package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http024 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-024",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `server must not issue a session id in revisions from 2026-07-28 on

These revisions have no sessions: each request is independent. A session ID makes clients and proxies stick to one
server instance without need.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if id := a.Header.Get("Mcp-Session-Id"); id != "" {
			p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"},
				"response has an Mcp-Session-Id header, expected none")
		}
		return nil
	},
}
