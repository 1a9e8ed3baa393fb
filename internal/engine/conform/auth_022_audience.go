package conform

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth022 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-022",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-audience-binding-and-validation"),
		Doc: `token for another resource must return 401

A token belongs to the resource for which it was requested. A server that accepts tokens for other servers of the same
authorization server lets each of those servers act as its users.

Compare aud, or the result of introspection, with the URL of the server.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, _, err := p.ownToken(ctx)
		if err != nil {
			return err
		}
		g, err := p.signedIn(ctx)
		if err != nil {
			return err
		}
		if g.refresh == "" {
			return p.Skip("the authorization server issued no refresh token")
		}
		const other = "https://mcptest-other.example/mcp"
		got, err := p.requestToken(ctx, g.client, url.Values{"grant_type": {"refresh_token"},
			"refresh_token": {g.refresh}, "resource": {other}})
		if err != nil {
			return err
		}
		second := *g
		if second.access = ""; got.Status/100 != 2 {
			return p.Skip("the authorization server issues no token for another resource: HTTP %d", got.Status)
		}
		second.take(p, got)
		g.refresh = second.refresh
		a, err := t.request.sendOwn(ctx, p, "", "Bearer "+second.access)
		if err != nil {
			return err
		}
		if a.Status != http.StatusUnauthorized {
			p.Report(Evidence{Answer: a, Subject: "authorization"}, "token requested for %s: expected 401, got HTTP %d; "+
				"the server does not check the audience, or the authorization server ignores resource", other, a.Status)
		}
		return nil
	},
}
