package conform

import (
	"context"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth036 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-036",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/security_best_practices#confused-deputy-problem"),
		Doc: `proxy of another authorization server should ask for consent per client

A proxy that uses one client ID at another authorization server for all its clients must ask the user about each client
first. Otherwise the consent for one client is enough for every other one, also for that of an attacker.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		c, err := p.registeredClient(ctx)
		if err != nil {
			return err
		}
		a, to, err := p.authorize(ctx, c, nil)
		if err != nil {
			return err
		}
		own, _ := url.Parse(c.endpoint("authorization_endpoint"))
		client := to.Query().Get("client_id")
		if to.Host != "" && own != nil && to.Host != own.Host && client != "" && client != c.id {
			p.Report(Evidence{Answer: a, Subject: "authorization endpoint"},
				"request of a new client: expected a page that asks for consent, got a redirect to %s with another client ID",
				clip.Text(to.Hostname(), 80))
		}
		return nil
	},
}
