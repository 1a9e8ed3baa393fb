package conform

import (
	"context"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http035 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-035",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http#standard-mcp-request-headers"),
		Doc: `Mcp-Param header must match the argument

x-mcp-header repeats a tool argument in an Mcp-Param-… header, so that a proxy can route and authorize by it. A proxy
that allows one region can be bypassed by a call that names that region in the header and another in the body, unless
the server compares the two. The call must be rejected with 400 and -32020. The check needs a callable tool with such an
argument.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.Callable(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			headers := mcp.ParamHeaders(t.Definition, t.Arguments)
			if len(headers) == 0 {
				continue
			}
			v, err := p.Visit(ctx)
			if err != nil {
				return err
			}
			name := slices.Min(slices.Collect(maps.Keys(headers)))
			headers.Set(name, "mcptest-another")
			a, err := v.Request(ctx, headers, "tools/call",
				string(mcp.Object("name", t.Name, "arguments", t.Arguments)))
			return p.mismatched(a, err, name)
		}
		return p.Skip("no callable tool has an argument with x-mcp-header")
	},
}
