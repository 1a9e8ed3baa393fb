package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http012 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-012",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http#protocol-version-header"),
		Doc: `unsupported MCP-Protocol-Version header must be rejected with 400

From 2025-06-18 on, each request after the handshake names its revision in MCP-Protocol-Version. A server that ignores
the header may serve a request by the rules of another revision.`,
	},
	Since: spec.June2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Protocol-Version": {"1999-01-01"}})
		if err != nil {
			return err
		}
		if a.Status != http.StatusBadRequest {
			p.Report(Evidence{Answer: a, Subject: "MCP-Protocol-Version"},
				"request with MCP-Protocol-Version 1999-01-01: got HTTP %d, expected 400", a.Status)
		}
		return nil
	},
}
