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
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#initialization"),
		Doc: `initialize with empty params should be rejected

protocolVersion, capabilities and clientInfo are required. A server that continues without them has not negotiated a
revision.`,
	},
	Until: spec.NewestLegacy,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		ex, err := p.CallIn(ctx, s, "initialize", "{}")
		if died(err) {
			return nil // a closed connection also counts as a rejection
		}
		if err == nil && ex.Reply.Error == nil {
			p.Report(Evidence{Exchange: ex}, "initialize with empty params returned a result, expected error %d",
				mcp.CodeInvalidParams)
		}
		return err
	},
}
