package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http005 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#security-warning"),
		Doc: `local server should reject an unknown Host header

A page whose host name resolves to 127.0.0.1 reaches a local server, with that name in Host. A server that accepts any
Host gives the page full access. The specification requires validation of Origin; validating Host closes the same hole
for requests without Origin.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		if !near(p.Target) {
			return p.Skip("server is not local, so Host cannot be forged by DNS rebinding")
		}
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Host": {foreignHost}})
		if err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.Report(Evidence{Answer: a, Subject: "Host"},
				"request with Host %s: got HTTP %d, expected it to be rejected", foreignHost, a.Status)
		}
		return nil
	},
}
