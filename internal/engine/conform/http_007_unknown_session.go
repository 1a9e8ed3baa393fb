package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http007 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-007",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `unknown session id should be rejected with 404

The status means that the session no longer exists and that the client must start a new one. With any other status,
clients keep retrying or abort. The specification requires it for terminated sessions (HTTP-009) and only implies it
here, so this is a warning.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ping(ctx, http.Header{"Mcp-Session-Id": {"mcptest-no-such-session"}})
		if err != nil {
			return err
		}
		if a.Status != http.StatusNotFound {
			p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"},
				"request with an unknown session ID: got HTTP %d, expected 404", a.Status)
		}
		return nil
	},
}
