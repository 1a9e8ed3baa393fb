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
		if _, err := p.Protection(ctx); err != nil {
			return err
		}
		v := &HTTPSession{p: p}
		body, method := v.Initialize(p.Revision.ID), "initialize"
		if p.Modern() {
			body, method = v.Body("server/discover", ""), "server/discover"
		}
		h := v.Header(method, "")
		h.Set("Authorization", "Bearer mcptest-no-such-token")
		a, err := p.Fetch(ctx, Fetch{Header: h, Body: body, Anonymous: true})
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
