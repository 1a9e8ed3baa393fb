package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth009 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-009",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-handling"),
		Doc: `invalid token must return 401

A server that accepts any token has no access control. If it returns 403 or 500 for an invalid token, clients do not
request a new one when theirs has expired.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		a, err := t.request.send(ctx, p, "Bearer mcptest-no-such-token")
		if err != nil {
			return err
		}
		if a.Status != http.StatusUnauthorized {
			p.Report(Evidence{Answer: a, Subject: "authorization"},
				"request with an invalid token: got HTTP %d, expected 401", a.Status)
		}
		return nil
	},
}
