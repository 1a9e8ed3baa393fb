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
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http"),
		Doc: `A missing capability is answered with 400.

The refusal of a request whose client has not declared what it takes (-32021) has a status of its own. It can be seen where a
tool that may be called needs the user or the model.`,
	},
	Since: mcp.NewestModern,
	On:    OnHTTP,
	Last:  true,
	Run: func(_ context.Context, p *Pass) error {
		for _, s := range p.round.judge.seen(&p.round.judge.refused) {
			f := s.message.Frame
			if s.message.Error.Code != mcp.CodeMissingCapability || f.Event != nil || f.Status == http.StatusBadRequest {
				continue // a stream has its status before anything is known
			}
			p.Report(s.proof(), "error %d came with HTTP %d; want 400", mcp.CodeMissingCapability, f.Status)
		}
		return nil
	},
}
