package conform

import (
	"bytes"
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth018 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-018",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-handling"),
		Doc: `JWT with an HMAC of the public key must return 401

The public key of the issuer is known to everyone. A server that lets the token choose the algorithm uses the key as the
secret of an HMAC, and accepts what anyone can compute.

Allow only the algorithm that the issuer uses, such as RS256.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		var secret []byte
		for _, key := range t.publicKeys(ctx, p) {
			if secret = key.pem(); secret != nil {
				break
			}
		}
		if secret == nil {
			return p.Skip("the authorization server publishes no public key (jwks_uri)")
		}
		f := t.forge(ctx, p).with("alg", "HS256")
		for _, try := range []struct {
			secret []byte
			what   string
		}{
			{secret, "JWT with an HMAC of the public key"},
			{bytes.TrimSpace(secret), "JWT with an HMAC of the public key without its last line break"},
		} {
			if err := p.rejectToken(ctx, t, f.hashed(try.secret), try.what); err != nil {
				return err
			}
		}
		return nil
	},
}
