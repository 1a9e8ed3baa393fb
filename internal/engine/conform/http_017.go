package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http017 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-017",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http"),
		Doc: `An unknown method is answered with 404.

The status lets a proxy and a client without a JSON reader see that there is no such method; the body says -32601.`,
	},
	Since: mcp.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Ask(ctx, nil, "mcptest/no-such-method", "")
		if err != nil {
			return err
		}
		if a.Status != http.StatusNotFound {
			p.Report(Seen{Answer: a, Subject: "unknown method"}, "an unknown method was answered with HTTP %d; want 404", a.Status)
		}
		return nil
	},
}
