package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var comp002 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/completion#error-handling"),
		Doc: `completion for an unknown reference should fail with -32602

Returning no values for a prompt that does not exist hides a client bug.`,
	},
	Since: spec.March2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *CheckContext) error {
		ref := mcp.Object("type", "ref/prompt", "name", "mcptest-no-such-prompt")
		ex, err := p.tryCall(ctx, "completion/complete",
			mcp.Object("ref", ref, "argument", mcp.Object("name", "none", "value", "")))
		if err != nil {
			return err
		}
		p.expectCode(ex, "completion for an unknown prompt", mcp.CodeInvalidParams)
		return nil
	},
}
