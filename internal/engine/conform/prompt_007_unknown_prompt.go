package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt007 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-007",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#error-handling"),
		Doc: `prompts/get of an unknown prompt should fail with -32602

An unknown name is a client error, and the code must indicate that.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.tryCall(ctx, "prompts/get", mcp.Object("name", "mcptest-no-such-prompt"))
		if err != nil {
			return err
		}
		p.expectCode(ex, "unknown prompt", mcp.CodeInvalidParams)
		return nil
	},
}
