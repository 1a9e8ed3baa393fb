package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http003 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-003",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/transports#streamable-http"),
		Doc: `An answer that a client posts is accepted with 202.

The client answers what the server asked: sampling, elicitation, roots. Like a notification the answer has no answer.`,
	},
	Since: "2025-03-26",
	Until: mcp.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Post(ctx, nil, `{"jsonrpc":"2.0","id":"mcptest-nobody-asked","result":{}}`)
		switch {
		case err != nil:
			return err
		case a.Status == http.StatusBadRequest:
			return nil // it was not asked, and may say so
		case a.Status != http.StatusAccepted:
			p.Report(Seen{Answer: a, Subject: "response"}, "a posted answer was answered with HTTP %d; want 202", a.Status)
		}
		return nil
	},
}
