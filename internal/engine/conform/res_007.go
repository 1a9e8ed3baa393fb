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
		Doc: `A resource that does not exist is refused.

Up to 2025-11-25 with error -32002, since then with -32602, and never with empty contents: a client would show an
empty document for one that is not there.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *Pass) error {
		const uri = "mcptest://no/such/resource"
		ex, err := p.tryCall(ctx, "resources/read", mcp.Object("uri", uri))
		if err != nil {
			return err
		}
		code := int64(mcp.CodeInvalidParams)
		if !p.Modern() {
			code = -32002
		}
		p.wantCode(ex, "an address that leads to nothing", code)
		return nil
	},
}
