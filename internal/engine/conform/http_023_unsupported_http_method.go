package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http023 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-023",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `unsupported HTTP method must return 405

PUT and PATCH have no meaning in MCP. If a server treats any method as POST, requests can bypass protections that
proxies and browsers apply to POST only.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := p.Fetch(ctx, Fetch{Method: http.MethodPut, Header: v.Header(p.pinged(), ""),
			Body: v.Body(p.pinged(), "")})
		if err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.Report(Evidence{Answer: a, Subject: "PUT"}, "PUT: got HTTP %d, expected 405", a.Status)
		}
		return nil
	},
}
