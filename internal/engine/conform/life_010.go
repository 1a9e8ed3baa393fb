package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life010 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-010",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#initialization"),
		Doc: `initialize without its parameters is refused.

protocolVersion, capabilities and clientInfo are required. A server that goes on without them has agreed on no revision with
its client.`,
	},
	Until: mcp.NewestLegacy,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		ex, err := p.CallIn(ctx, s, "initialize", "{}")
		if died(err) {
			return nil // a closed connection is a refusal, too
		}
		if err == nil && ex.Reply.Error == nil {
			p.Report(Seen{Exchange: ex}, "initialize without any parameter was answered with a result; want error %d", mcp.CodeInvalidParams)
		}
		return err
	},
}
