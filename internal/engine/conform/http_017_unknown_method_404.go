package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http017 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-017",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `unknown method must return 404

The status lets proxies and clients that do not parse JSON recognize an unknown method; the body contains error -32601.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Request(ctx, nil, "mcptest/no-such-method", "")
		if err != nil {
			return err
		}
		if a.Status != http.StatusNotFound {
			p.Report(Evidence{Answer: a, Subject: "unknown method"}, "unknown method: got HTTP %d, expected 404",
				a.Status)
		}
		return nil
	},
}
