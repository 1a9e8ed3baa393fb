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
		Spec:     spec.URL(spec.July2026, "basic#error-codes"),
		Doc: `error codes reserved by the revision must keep their meaning

Revisions from 2026-07-28 on define the meaning of -32020 to -32099 and retire -32002 and -32042. Clients act on these
codes: they retry in another revision, or declare a capability. A code with another meaning misleads them.`,
	},
	Since: spec.NewestModern,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		for _, s := range p.round.validator.observations(&p.round.validator.refused) {
			e := s.message.Error
			known := e.Code == mcp.CodeHeaderMismatch || e.Code == mcp.CodeMissingCapability ||
				e.Code == mcp.CodeUnsupportedVersion
			switch {
			case e.Code == -32002:
				p.Report(s.proof(), "error -32002 is retired by the revision, expected -32602 for a resource that does not exist")
			case e.Code <= -32020 && e.Code >= -32099 && !known:
				p.Report(s.proof(), "error %d is reserved or retired by the revision, expected a code that it defines",
					e.Code)
			}
		}
		return nil
	},
}
