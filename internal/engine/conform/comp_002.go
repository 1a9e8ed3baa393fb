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
		Doc: `The completion of something that does not exist is refused with error -32602.

An empty menu for a prompt that is not there hides a mistake of the client's.`,
	},
	Since: "2025-03-26",
	Needs: "completions",
	Run: func(ctx context.Context, p *Pass) error {
		ref := mcp.Object("type", "ref/prompt", "name", "mcptest-no-such-prompt")
		ex, err := p.tryCall(ctx, "completion/complete", mcp.Object("ref", ref, "argument", mcp.Object("name", "none", "value", "")))
		if err != nil {
			return err
		}
		p.wantCode(ex, "the completion of a prompt that does not exist", mcp.CodeInvalidParams)
		return nil
	},
}
