package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http016 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-016",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `Mcp-Name must match the body

The header repeats the name of the tool, prompt or resource. A proxy that allows only some tools can be bypassed by a
call with another name in the header, unless the server compares the two.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		a, err := p.requestNamed(ctx, func(string) []string { return []string{"mcptest-another"} })
		return p.mismatched(a, err, "Mcp-Name")
	},
}
