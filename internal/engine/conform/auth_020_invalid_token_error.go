package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth020 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-020",
		Severity: finding.Warning,
		Spec:     "https://www.rfc-editor.org/rfc/rfc6750#section-3.1",
		Doc: `401 response to an invalid token should say invalid_token

WWW-Authenticate: Bearer error="invalid_token" means that the token has expired, so that a client refreshes the token
instead of starting a new authorization. With resource_metadata in the same header it also finds where.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
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
			return p.Skip("the response is not 401")
		}
		if got := challenged(a, "error"); got != "invalid_token" {
			p.Report(Evidence{Answer: a, Subject: "WWW-Authenticate"}, "error: expected invalid_token, got %q", got)
		}
		if !p.Revision.Before(spec.June2025) && challenged(t.refusal, "resource_metadata") != "" &&
			challenged(a, "resource_metadata") == "" {
			p.Report(Evidence{Answer: a, Subject: "WWW-Authenticate"},
				"no resource_metadata in the response to an invalid token, although it is in the response to none")
		}
		return nil
	},
}
