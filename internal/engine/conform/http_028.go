package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http028 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-028",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `A body of another type than JSON is refused.

A page can send text/plain to any server without asking first. A server that reads it as JSON can be driven by a page even
where browsers would have asked for permission.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Content-Type": {"text/plain"}})
		if err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.Report(Seen{Answer: a, Subject: "Content-Type"}, "a request of type text/plain was served with HTTP %d; want 415", a.Status)
		}
		return nil
	},
}
