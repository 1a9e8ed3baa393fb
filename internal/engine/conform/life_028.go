package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life028 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-028",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic#statelessness"),
		Doc: `Nothing is inferred from earlier requests.

On a connection that has carried requests of the modern era, one without metadata is still incomplete. A server that fills in
what came before serves one client by the word of another as soon as there is a proxy between them.`,
	},
	Since: mcp.NewestModern,
	On:    OnPipe,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		if _, err := p.Alive(ctx, s); err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{}`, "without _meta, after one with it,")
	},
}
