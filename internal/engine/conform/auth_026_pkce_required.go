package conform

import (
	"context"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth026 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-026",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#authorization-code-protection"),
		Doc: `authorization request without PKCE must be rejected

Without a code challenge, or with the method plain, an intercepted code is enough to get a token. The authorization
server can reject such a request before the user signs in.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		c, err := p.registeredClient(ctx)
		if err != nil {
			return err
		}
		for _, try := range []struct {
			what   string
			change url.Values
		}{
			{"authorization request without code_challenge", url.Values{"code_challenge": {}, "code_challenge_method": {}}},
			{"authorization request with code_challenge_method plain", url.Values{"code_challenge_method": {"plain"}}},
		} {
			a, to, err := p.authorize(ctx, c, try.change)
			if err != nil {
				return err
			}
			seen := Evidence{Answer: a, Subject: "authorization endpoint"}
			switch {
			case to.Query().Get("code") != "":
				p.Report(seen, "%s: expected an error, got a code", try.what)
			case a.Status/100 == 3 && to.Query().Get("error") == "":
				p.Warn(seen, "%s: expected an error, got a redirect to sign in", try.what)
			}
		}
		return nil
	},
}
