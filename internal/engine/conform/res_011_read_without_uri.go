package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res011 = &Check{
	Rule: finding.Rule{
		ID:       "RES-011",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#error-handling"),
		Doc: `resources/read without uri should fail with -32602

uri identifies the resource. A request without it is malformed, and error -32602 shows that the client must be fixed.
The request has no params at all, so -32600 is equally correct.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.tryCall(ctx, "resources/read", nil)
		if err != nil {
			return err
		}
		p.expectCode(ex, "resources/read without uri", append(p.malformed(), mcp.CodeInvalidRequest)...)
		return nil
	},
}
