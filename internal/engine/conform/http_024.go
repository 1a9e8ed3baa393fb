package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http024 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-024",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http"),
		Doc: `No session id is given out in the modern era.

There are no sessions any more: each request stands for itself. An id in the answer makes clients and proxies keep to one
instance of the server for nothing.`,
	},
	Since: mcp.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if id := a.Header.Get("Mcp-Session-Id"); id != "" {
			p.Report(Seen{Answer: a, Subject: "Mcp-Session-Id"}, "the answer has a Mcp-Session-Id; want none")
		}
		return nil
	},
}
