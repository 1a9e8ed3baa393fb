package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth017 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-017",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-handling"),
		Doc: `JWT without a signature must return 401

The algorithm none, in any spelling, is not a signature, and an empty signature is not a valid one. A library that takes
the algorithm from the token accepts both unless the server lists the algorithms that it allows.`,
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
			{f.with("alg", "none").unsigned(), "JWT with algorithm none"},
			{f.with("alg", "nOnE").unsigned(), "JWT with algorithm nOnE"},
			{f.unsigned(), "JWT with an empty signature"},
		} {
			if err := p.rejectToken(ctx, t, try.token, try.what); err != nil {
				return err
			}
		}
		return nil
	},
}
