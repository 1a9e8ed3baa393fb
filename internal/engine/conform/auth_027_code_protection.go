package conform

import (
	"context"
	"crypto/rand"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth027 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-027",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#authorization-code-protection"),
		Doc: `code must be redeemed once, and only with its verifier

A code can be intercepted. The verifier of PKCE makes it useless to others, if the token endpoint compares it; and a code
that was used must not give a second token.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		c, err := p.registeredClient(ctx)
		if err != nil {
			return err
		}
		g, err := p.signIn(ctx, c, p.resource())
		if err != nil {
			return err
		}
		a, err := p.redeem(ctx, g, rand.Text()+rand.Text())
		if err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.Report(Evidence{Answer: a, Subject: "token endpoint"},
				"code with another code_verifier: expected invalid_grant, got a token")
		}
		if g, err = p.newGrant(ctx); err != nil {
			return err
		}
		if a, err = p.redeem(ctx, g, g.verifier); err == nil && a.Status/100 == 2 {
			p.Report(Evidence{Answer: a, Subject: "token endpoint"},
				"code used a second time: expected invalid_grant, got a token")
		}
		return err
	},
}
