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
		second, err := p.otherGrant(ctx, g)
		if err != nil {
			return err
		}
		a, err := t.request.sendOwn(ctx, p, "", "Bearer "+second.access)
		if err != nil {
			return err
		}
		if a.Status != http.StatusUnauthorized {
			p.Report(Evidence{Answer: a, Subject: "authorization"}, "token requested for %s: expected 401, got HTTP %d; "+
				"the server does not check the audience, or the authorization server ignores resource", otherResource, a.Status)
		}
		return nil
	},
}

// otherResource is a server for which nobody has a token.
const otherResource = "https://mcptest-other.example/mcp"

// otherGrant gets a token of the same user for another resource: with the refresh token, or with another sign-in.
func (p *CheckContext) otherGrant(ctx context.Context, g *ownGrant) (*ownGrant, error) {
	second := *g
	second.access = ""
	if g.refresh != "" {
		got, err := p.requestToken(ctx, g.client, url.Values{"grant_type": {"refresh_token"},
			"refresh_token": {g.refresh}, "resource": {otherResource}})
		if err != nil {
			return nil, err
		}
		second.take(p, got)
		g.refresh = second.refresh
	}
	if second.access != "" {
		return &second, nil
	}
	a, to, err := p.authorize(ctx, g.client, url.Values{"resource": {otherResource}})
	if err != nil {
		return nil, err
	}
	if a.Status >= http.StatusBadRequest || to.Query().Get("error") != "" {
		return nil, p.Skip("the authorization server issues no token for another resource")
	}
	return p.newGrantFor(ctx, otherResource)
}
