package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http014 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-014",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `request without Mcp-Method must be rejected

The header repeats the method so that a proxy can distinguish requests without reading bodies. It is required; a request
without it must be rejected with 400 and -32020.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Method": nil})
		return p.lacking(a, err, "Mcp-Method")
	},
}
