package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http012 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-012",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/transports#streamable-http#protocol-version-header"),
		Doc: `A revision in the header that the server does not know is refused with 400.

From 2025-06-18 on each request after the handshake names its revision in MCP-Protocol-Version. A server that does not look
serves a request by other rules than the client means.`,
	},
	Since: "2025-06-18",
	Until: mcp.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Protocol-Version": {"1999-01-01"}})
		if err != nil {
			return err
		}
		if a.Status != http.StatusBadRequest {
			p.Report(Seen{Answer: a, Subject: "MCP-Protocol-Version"}, "a request with MCP-Protocol-Version 1999-01-01 was answered with HTTP %d; want 400", a.Status)
		}
		return nil
	},
}
