package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http019 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-019",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `request without _meta must return 400

A request without the required fields in _meta fails with -32602, and the status must agree with the error.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		a, err := v.Post(ctx, nil, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}`)
		if err != nil {
			return err
		}
		if a.Status != http.StatusBadRequest {
			p.Report(Evidence{Answer: a, Subject: "server/discover"},
				"request without _meta: got HTTP %d, expected 400", a.Status)
		}
		return nil
	},
}
