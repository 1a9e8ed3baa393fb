package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var log002 = &Check{
	Rule: finding.Rule{
		ID:       "LOG-002",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "server/utilities/logging#error-handling"),
		Doc: `unknown log level should fail with -32602

If a server accepts any string as a level, or breaks on it, the client cannot know which messages it will receive.`,
	},
	Until: spec.November2025,
	Needs: "logging",
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Other(ctx)
		if err != nil {
			return err
		}
		ex, err := p.CallIn(ctx, s, "logging/setLevel", mcp.Object("level", "mcptest-no-such-level"))
		if err != nil {
			return err
		}
		p.expectCode(ex, "unknown log level", mcp.CodeInvalidParams)
		return nil
	},
}
