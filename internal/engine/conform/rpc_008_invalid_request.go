package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc008 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-008",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#error-responses"),
		Doc: `JSON that is not a request should fail with -32600

The code for an invalid request means that the envelope is wrong, as opposed to the method or its parameters.`,
	},
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		codes := []int64{mcp.CodeInvalidRequest, mcp.CodeParse}
		if p.Modern() && transportOf(p.Target.Transport()) == OnHTTP {
			codes = append(codes, mcp.CodeHeaderMismatch) // no Mcp-Method header is equal to a number
		}
		return p.refusal(ctx, `{"jsonrpc":"2.0","id":"mcptest-8","method":5}`, "a request whose method is a number",
			codes...)
	},
}
