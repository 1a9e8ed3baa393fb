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
		Doc: `Reading without an address is refused with error -32602.

uri is what the request is about. A request without it is malformed, and error -32602 says which side has to be
mended. The request has no params at all, so that -32600 is as good.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.tryCall(ctx, "resources/read", nil)
		if err != nil {
			return err
		}
		p.wantCode(ex, "resources/read without uri", append(p.malformed(), mcp.CodeInvalidRequest)...)
		return nil
	},
}
