package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc011 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-011",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic#error-codes"),
		Doc: `Error codes that the revision reserves are used as it says.

The modern era fixes the meaning of -32020 to -32099 and takes -32002 and -32042 out of use. A client acts on these codes:
it asks again in another revision, or declares a capability. A code with another meaning sends it astray.`,
	},
	Since: mcp.NewestModern,
	Last:  true,
	Run: func(ctx context.Context, p *Pass) error {
		for _, s := range p.round.judge.seen(&p.round.judge.refused) {
			e := s.message.Error
			known := e.Code == mcp.CodeHeaderMismatch || e.Code == mcp.CodeMissingCapability || e.Code == mcp.CodeUnsupportedVersion
			if e.Code == -32002 || e.Code <= -32020 && e.Code >= -32099 && !known {
				p.Report(s.proof(), "error %d, which the revision reserves or has taken out of use; want a code that it defines", e.Code)
			}
		}
		return nil
	},
}
