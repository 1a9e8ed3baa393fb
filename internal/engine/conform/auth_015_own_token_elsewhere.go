package conform

import (
	"context"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth015 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-015",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-requirements"),
		Doc: `valid token must be accepted only in the Authorization header

A token in the query appears in logs, histories and Referer headers. The scheme is not case-sensitive: a server that
rejects bearer in lower case fails with some clients.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, token, err := p.ownToken(ctx)
		if err != nil {
			return err
		}
		a, err := t.request.sendOwn(ctx, p, withQuery(p.Target.URL, url.Values{"access_token": {token}}.Encode()))
		if err != nil {
			return err
		}
		if served(a) {
			p.Report(Evidence{Answer: a, Subject: "authorization"},
				"valid token in the query: expected 401, got HTTP %d", a.Status)
		}
		if a, err = t.request.sendOwn(ctx, p, "", "bearer "+token); err != nil {
			return err
		}
		if !served(a) {
			p.Warn(Evidence{Answer: a, Subject: "authorization"},
				"valid token with the scheme bearer in lower case: expected a result, got HTTP %d", a.Status)
		}
		return nil
	},
}
