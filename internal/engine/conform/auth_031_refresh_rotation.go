package conform

import (
	"context"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth031 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-031",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-theft"),
		Doc: `refresh token of a public client must be replaced when it is used

A public client cannot prove who it is, so a stolen refresh token works for anyone. If each use returns a new one and ends
the old one, theft is noticed: the second use of the old one ends all of them.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		g, err := p.newGrant(ctx)
		if err != nil {
			return err
		}
		if g.refresh == "" {
			return p.Skip("the authorization server issued no refresh token")
		}
		old := g.refresh
		use := func(token string) (*HTTPExchange, error) {
			return p.requestToken(ctx, g.client, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}})
		}
		a, err := use(old)
		if err != nil {
			return err
		}
		if a.Status/100 != 2 {
			return p.Skip("the authorization server rejected the refresh token: HTTP %d", a.Status)
		}
		g.take(p, a)
		seen := Evidence{Answer: a, Subject: "token endpoint"}
		if a, err = use(old); err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.Report(seen, "refresh token used a second time: expected invalid_grant, got a token")
			return nil
		}
		if a, err = use(g.refresh); err == nil && a.Status/100 == 2 {
			p.Warn(seen, "refresh token whose predecessor was used again: expected invalid_grant, got a token")
		}
		return err
	},
}
