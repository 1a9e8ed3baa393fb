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
		Doc: `codes reserved by JSON-RPC should keep their meaning

JSON-RPC reserves -32768 to -32000. It defines 5 codes and leaves -32000 to -32099 to servers; the rest is reserved for
future use. A server-defined code from the rest may get another meaning later. RPC-011 covers the codes -32020 to -32099
that MCP defines.`,
	},
	Last: true,
	Run: func(_ context.Context, p *CheckContext) error {
		for _, s := range p.round.validator.observations(&p.round.validator.refused) {
			if e := s.message.Error; e.Code >= -32768 && e.Code < -32099 && !definedCode(e.Code) {
				p.Report(s.proof(), "error %d is reserved by JSON-RPC for future use, expected a defined code or one "+
					"from -32099 to -32000", e.Code)
			}
		}
		return nil
	},
}

// definedCode reports whether JSON-RPC defines an error code.
func definedCode(code int64) bool {
	return code == mcp.CodeParse || code <= mcp.CodeInvalidRequest && code >= mcp.CodeInternal
}
