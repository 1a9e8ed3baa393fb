package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc006 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#error-responses"),
		Doc: `unparsable message should fail with -32700

The code means that the bytes were invalid, not the request. JSON-RPC reserves it for this case. A missing response is
tolerated; another code is wrong.`,
	},
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.refusal(ctx, `{"jsonrpc":"2.0","id":1,"method":`, "message that is not JSON", mcp.CodeParse)
	},
}
