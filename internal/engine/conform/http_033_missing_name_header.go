package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http033 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-033",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `request for a named item must be rejected without Mcp-Name

The header is required for requests that name a tool, prompt or resource. Without it, a proxy that allows only some
tools cannot decide, so the request must be rejected with 400 and -32020.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		a, err := p.requestNamed(ctx, func(string) []string { return nil })
		return p.lacking(a, err, "Mcp-Name")
	},
}
