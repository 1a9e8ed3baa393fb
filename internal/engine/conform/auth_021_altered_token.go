package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth021 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-021",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-handling"),
		Doc: `altered token must return 401

The checks take a valid token and change its signature, or its last characters if it is not a JWT. A server that accepts
the result does not verify the whole token.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, token, err := p.ownToken(ctx)
		if err != nil {
			return err
		}
		cut := len(token) - min(8, len(token)/2)
		other := "A"
		if token[cut] == 'A' {
			other = "B"
		}
		for _, try := range []struct{ token, what string }{
			{token[:cut], "valid token without its last characters"},
			{token[:cut] + other + token[cut+1:], "valid token with another character near its end"},
		} {
			a, err := t.request.sendOwn(ctx, p, "", "Bearer "+try.token)
			if err != nil {
				return err
			}
			if a.Status != http.StatusUnauthorized {
				p.Report(Evidence{Answer: a, Subject: "authorization"}, "%s: expected 401, got HTTP %d", try.what, a.Status)
			}
		}
		return nil
	},
}
