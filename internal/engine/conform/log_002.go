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
		Spec:     spec.URL("2025-11-25", "server/utilities/logging#error-handling"),
		Doc: `A log level that does not exist is refused with error -32602.

A server that takes any text for a level, or breaks on it, leaves the client in the dark about what it will be told.`,
	},
	Until: "2025-11-25",
	Needs: "logging",
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Other(ctx)
		if err != nil {
			return err
		}
		ex, err := p.CallIn(ctx, s, "logging/setLevel", mcp.Object("level", "mcptest-no-such-level"))
		if err != nil {
			return err
		}
		p.wantCode(ex, "a level that does not exist", mcp.CodeInvalidParams)
		return nil
	},
}
