package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc021 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-021",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#error-codes"),
		Doc: `Error codes that JSON-RPC keeps for itself are used as it says.

JSON-RPC reserves -32768 to -32000. In there it defines five codes and leaves -32000 to -32099 to servers; the rest is for later.
A code of the server's own from the rest may get another meaning. What MCP makes of -32020 to -32099 is RPC-011's.`,
	},
	Last: true,
	Run: func(_ context.Context, p *Pass) error {
		for _, s := range p.round.judge.seen(&p.round.judge.refused) {
			if e := s.message.Error; e.Code >= -32768 && e.Code < -32099 && !definedCode(e.Code) {
				p.Report(s.proof(), "error %d, which JSON-RPC reserves for later; want one of its own, or one of -32099 to -32000", e.Code)
			}
		}
		return nil
	},
}

// definedCode reports whether JSON-RPC defines an error code.
func definedCode(code int64) bool {
	return code == mcp.CodeParse || code <= mcp.CodeInvalidRequest && code >= mcp.CodeInternal
}
