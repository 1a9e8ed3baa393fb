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
		Doc: `request without a token must return 401

401 means that the client needs a token; 403 means that its token is not sufficient. A client that gets 403 first has no
reason to start authorization.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		if t.refusal.Status != http.StatusUnauthorized {
			p.Report(Evidence{Answer: t.refusal, Subject: "authorization"},
				"request without a token: got HTTP %d, expected 401", t.refusal.Status)
		}
		return nil
	},
}
