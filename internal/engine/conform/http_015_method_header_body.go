package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http015 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-015",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `Mcp-Method must match the body

A proxy that allows only tools/list can be bypassed by a tools/call with tools/list in the header, unless the server
compares the two.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Method": {"tools/list"}})
		return p.mismatched(a, err, "Mcp-Method")
	},
}
