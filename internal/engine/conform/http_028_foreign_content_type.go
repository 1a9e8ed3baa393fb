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
		Doc: `Content-Type other than JSON should be rejected

A web page can send text/plain to any server without a CORS preflight. A server that parses it as JSON can be controlled
by a page that browsers would otherwise block.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Content-Type": {"text/plain"}})
		if err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.Report(Evidence{Answer: a, Subject: "Content-Type"},
				"request with Content-Type text/plain: got HTTP %d, expected 415", a.Status)
		}
		return nil
	},
}
