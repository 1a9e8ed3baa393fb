package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt008 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-008",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#error-handling"),
		Doc: `prompts/get without a required argument should fail with -32602

A prompt that is generated without a required argument sends the model an incomplete text.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		prompts, err := p.prompts(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, item := range prompts {
			name := requiredArgument(item)
			if name == "" || tried == maxReads {
				continue
			}
			tried++
			ex, err := p.tryCall(ctx, "prompts/get",
				mcp.Object("name", item.Name, "arguments", promptArguments(item, name)))
			if err != nil {
				return err
			}
			p.expectCode(ex, "prompt "+quoted(item.Name)+" without argument "+quoted(name), mcp.CodeInvalidParams)
		}
		if tried == 0 {
			return p.Skip("no prompt that may be requested requires an argument")
		}
		return nil
	},
}
