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
		Spec:     spec.URL(spec.July2026, "basic#request-metadata"),
		Doc: `request without clientCapabilities must fail with -32602

clientCapabilities is required in _meta, even if it is an empty object: a server must not use capabilities that the
client did not declare, so it needs the declaration.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		meta := mcp.Object("io.modelcontextprotocol/protocolVersion", p.Revision.ID)
		return p.refusesMeta(ctx, s, `{"_meta":`+string(meta)+`}`, "without clientCapabilities in _meta", nil)
	},
}
