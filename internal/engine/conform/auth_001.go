package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth001 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#error-handling"),
		Doc: `A request without a token is refused with 401.

401 tells a client to get a token; 403 tells it that the token is not enough. A client that gets 403 at first has no reason to
begin to authorize.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		if t.refusal.Status != http.StatusUnauthorized {
			p.Report(Seen{Answer: t.refusal, Subject: "authorization"}, "a request without a token was answered with HTTP %d; want 401", t.refusal.Status)
		}
		return nil
	},
}
