package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http034 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-034",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `missing client capability must return 400

The error for a missing client capability (-32021) has a defined status. The check needs a callable tool that requires
elicitation or sampling.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Last:  true,
	Run: func(_ context.Context, p *CheckContext) error {
		for _, s := range p.round.validator.observations(&p.round.validator.refused) {
			f := s.message.Frame
			if s.message.Error.Code != mcp.CodeMissingCapability || f.Event != nil ||
				f.Status == http.StatusBadRequest {
				continue // a stream sends its status before the outcome is known
			}
			p.Report(s.proof(), "error %d: got HTTP %d, expected 400", mcp.CodeMissingCapability, f.Status)
		}
		return nil
	},
}
