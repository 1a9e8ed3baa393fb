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
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `response must match the Accept header

A client that accepts only JSON cannot read an SSE stream. The server must respond with JSON or reject the request with
406; it must not send a stream to a client that does not accept one.`,
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
