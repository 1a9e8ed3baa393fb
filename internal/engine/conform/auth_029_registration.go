package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth029 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-029",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#dynamic-client-registration"),
		Doc: `dynamic registration must be open, and accept only safe redirect URIs

An announced registration_endpoint that requires an administrator leads every client into an error. A redirect URI with
http that is not local sends codes in clear text. A client with the method none must not get a secret.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		c, err := p.registeredClient(ctx)
		if err != nil {
			for _, s := range t.servers {
				if s.metadata != nil && At(s.metadata.Body, "/registration_endpoint") != nil &&
					wrongEndpoint(s.metadata.Body) == "" {
					p.Warn(Evidence{Answer: s.metadata, Subject: "registration endpoint"}, "%v", err)
				}
			}
			return err
		}
		if !fetchable(c.endpoint("registration_endpoint")) || p.round.opts.Auth.Client != "" {
			return p.Skip("no client was registered")
		}
		if c.secret {
			p.Report(Evidence{Subject: "registration endpoint"}, "client with the method none: got a client_secret")
		}
		a, err := p.postClient(ctx, c, "http://mcptest-other.example/callback")
		if err != nil {
			return err
		}
		if a.Status/100 == 2 {
			p.unregister(ctx, c, schema.TextAt(a.Body, "/registration_client_uri"),
				schema.TextAt(a.Body, "/registration_access_token"))
			p.Report(Evidence{Answer: a, Subject: "registration endpoint"},
				"redirect URI with http that is not local: expected 400, got HTTP %d", a.Status)
		}
		return nil
	},
}
