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
		Spec:     spec.URL(spec.July2026, "basic#request-metadata"),
		Doc: `non-string protocolVersion must fail with -32602

Metadata is input like any other. A request with a number as revision must not be served and must not crash the server.
Over HTTP it also differs from the header, so -32020 is equally correct. A server that reports an unsupported version (-32022) gets
a warning.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{"_meta":{"io.modelcontextprotocol/protocolVersion":20260728,`+
			`"io.modelcontextprotocol/clientCapabilities":{}}}`,
			"whose protocolVersion is a number", func(_ context.Context, e *mcp.RPCError) bool {
				return e != nil && e.Code == mcp.CodeUnsupportedVersion // no revision is a number
			})
	},
}
