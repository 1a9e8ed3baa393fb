package conform

import (
	"context"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth034 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-034",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/authorization#authorization-response-validation"),
		Doc: `authorization response should name its issuer, also with an error

An authorization server that announces authorization_response_iss_parameter_supported sends iss with each response, and
iss is its issuer. Clients reject responses without it.`,
	},
	Since: spec.July2026,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		c, err := p.registeredClient(ctx)
		if err != nil {
			return err
		}
		if string(At(c.as, "/authorization_response_iss_parameter_supported")) != "true" {
			return p.Skip("the authorization server does not announce iss")
		}
		issuer := c.endpoint("issuer")
		_, to, err := p.authorize(ctx, c, url.Values{"response_type": {"mcptest"}})
		if err != nil {
			return err
		}
		if q := to.Query(); q.Get("error") != "" && q.Get("iss") != issuer {
			p.Report(Evidence{Subject: "authorization endpoint"}, "iss of an error: expected %q, got %q", issuer,
				clip.Text(q.Get("iss"), 80))
		}
		if !p.round.opts.Auth.As[0].SignIn {
			return nil
		}
		g, err := p.signedIn(ctx)
		if err == nil && g.answer.Get("iss") != issuer {
			p.Report(Evidence{Subject: "authorization endpoint"}, "iss: expected %q, got %q", issuer,
				clip.Text(g.answer.Get("iss"), 80))
		}
		return err
	},
}
