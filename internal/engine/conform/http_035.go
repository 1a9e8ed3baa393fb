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
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http#standard-mcp-request-headers"),
		Doc: `A header that repeats an argument says what the argument says.

x-mcp-header has an argument of a tool repeated in a header Mcp-Param-…, so that a proxy can route and permit by it. A proxy that
permits one region is passed by a call whose header names that one and whose body another, unless the server compares the two.
The call is refused with 400 and -32020. This can be seen with a tool that may be called.`,
	},
	Since: mcp.NewestModern,
	On:    OnHTTP,
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
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
			a, err := v.Ask(ctx, headers, "tools/call", string(mcp.Object("name", t.Name, "arguments", t.Arguments)))
			return p.mismatched(a, err, name)
		}
		return p.Skip("no tool that may be called has an argument that a header repeats")
	},
}
