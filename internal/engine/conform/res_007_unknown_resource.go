package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res007 = &Check{
	Rule: finding.Rule{
		ID:       "RES-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/resources#error-handling"),
		Doc: `read of an unknown resource must fail

The code is -32002 up to 2025-11-25, and -32602 since then. Empty contents are wrong: a client would show an empty
document for a resource that does not exist.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		const uri = "mcptest://no/such/resource"
		ex, err := p.tryCall(ctx, "resources/read", mcp.Object("uri", uri))
		if err != nil {
			return err
		}
		code := int64(mcp.CodeInvalidParams)
		if !p.Modern() {
			code = -32002
		}
		p.expectCode(ex, "unknown resource URI", code)
		return nil
	},
}
