package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http033 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-033",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http"),
		Doc: `A request about something with a name is refused without Mcp-Name.

The header is required where a tool, a prompt or a resource is asked for. A proxy that permits some tools has nothing to judge
by where it is absent, so the request is refused with 400 and -32020.`,
	},
	Since: mcp.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		a, err := p.askNamed(ctx, func(string) []string { return nil })
		return p.lacking(a, err, "Mcp-Name")
	},
}
