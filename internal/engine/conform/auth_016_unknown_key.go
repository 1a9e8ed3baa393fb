package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth016 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-016",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-handling"),
		Doc: `JWT signed by an unknown key must return 401

The token names the right issuer and audience, but the key is ours. A server that accepts it does not verify the
signature, or takes the key from the token itself (jwk), or reads it from the file that kid names. Anyone can issue
tokens for such a server.

Verify with the keys of the issuer only, and choose among them by kid.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		f := t.forge(ctx, p)
		for _, try := range []struct{ token, what string }{
			{f.signed(), "JWT signed by an unknown key"},
			{f.with("jwk", forgeJWK(), "kid", "mcptest").signed(), "JWT with its own key in the header jwk"},
			{f.with("alg", "HS256", "kid", "../../../../../../dev/null").hashed(nil),
				"JWT with the path of an empty file as kid"},
		} {
			if err := p.rejectToken(ctx, t, try.token, try.what); err != nil {
				return err
			}
		}
		return nil
	},
}
