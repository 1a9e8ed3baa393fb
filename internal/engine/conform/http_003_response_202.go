package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http003 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-003",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `posted response must be answered with 202

The client posts responses to server requests: sampling, elicitation, roots. Like a notification, a response is not
answered.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Post(ctx, nil, `{"jsonrpc":"2.0","id":"mcptest-nobody-asked","result":{}}`)
		switch {
		case err != nil:
			return err
		case a.Status == http.StatusBadRequest:
			return nil // the response was unsolicited, and the server may reject it
		case a.Status != http.StatusAccepted:
			p.Report(Evidence{Answer: a, Subject: "response"}, "posted response: got HTTP %d, expected 202", a.Status)
		}
		return nil
	},
}
