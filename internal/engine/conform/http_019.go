package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http019 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-019",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http"),
		Doc: `A request without metadata is answered with 400.

A request whose _meta lacks what is required is refused (-32602) with a status that says the same.`,
	},
	Since: mcp.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Post(ctx, nil, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`)
		if err != nil {
			return err
		}
		if a.Status != http.StatusBadRequest {
			p.Report(Seen{Answer: a, Subject: "server/discover"}, "a request without _meta was answered with HTTP %d; want 400", a.Status)
		}
		return nil
	},
}
