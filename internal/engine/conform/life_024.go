package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life024 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-024",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic#request-metadata"),
		Doc: `A request that does not say what its client can do is refused with -32602.

clientCapabilities is required in _meta, were it only an empty object: a server must not ask a client for what it did not
declare, so it has to know.`,
	},
	Since: mcp.NewestModern,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		meta := mcp.Object("io.modelcontextprotocol/protocolVersion", p.Revision.ID)
		return p.refusesMeta(ctx, s, `{"_meta":`+string(meta)+`}`, "without clientCapabilities in _meta", nil)
	},
}
