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
		Doc: `The answer has a type that the client accepts.

A client that accepts only JSON cannot read a stream, and one that accepts only pages cannot read either. A server refuses
what it cannot serve (406) or answers as JSON; it does not send a stream to someone who did not ask for one.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Accept": {"application/json"}})
		if err != nil {
			return err
		}
		if a.Status/100 == 2 && a.Type() == "text/event-stream" {
			p.Report(Seen{Answer: a, Subject: "Accept"}, "a request that accepts application/json alone was answered with a stream of events; want JSON, or HTTP 406")
		}
		return nil
	},
}
