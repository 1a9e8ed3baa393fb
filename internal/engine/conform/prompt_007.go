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
		Doc: `A prompt that does not exist is refused with error -32602.

An unknown name is a mistake of the client's, and the error says so.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.tryCall(ctx, "prompts/get", mcp.Object("name", "mcptest-no-such-prompt"))
		if err != nil {
			return err
		}
		p.wantCode(ex, "a prompt that does not exist", mcp.CodeInvalidParams)
		return nil
	},
}
