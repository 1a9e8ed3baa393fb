package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life029 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-029",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic#request-metadata"),
		Doc: `A revision that is no string is refused with -32602.

The metadata of a request is input like any other. A number where a revision should stand must not be served, and must not
end the server. Over HTTP it is not what the header says, either, so that -32020 is as right.`,
	},
	Since: mcp.NewestModern,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{"_meta":{"io.modelcontextprotocol/protocolVersion":20260728,"io.modelcontextprotocol/clientCapabilities":{}}}`,
			"whose protocolVersion is a number", nil)
	},
}
