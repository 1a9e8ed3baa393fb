package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http013 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-013",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http#protocol-version-header"),
		Doc: `protocol version in header and body must match

Proxies route by the header, servers act on the body. If they differ, the proxy checks something other than what the
server executes. The request must be rejected with 400 and -32020.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Protocol-Version": {spec.November2025}})
		return p.mismatched(a, err, "MCP-Protocol-Version")
	},
}
