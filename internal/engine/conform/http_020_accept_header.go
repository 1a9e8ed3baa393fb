package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http020 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-020",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `response should match the Accept header

A client that accepts only JSON cannot read an SSE stream. The server should respond with JSON or reject the request with
406. HTTP allows a server to ignore Accept, and the protocol requires clients to accept both, so this is a warning.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Accept": {"application/json"}})
		if err != nil {
			return err
		}
		if a.Status/100 == 2 && a.Type() == "text/event-stream" {
			p.Report(Evidence{Answer: a, Subject: "Accept"},
				"request that accepts only application/json: got an SSE stream, expected JSON or HTTP 406")
		}
		return nil
	},
}
