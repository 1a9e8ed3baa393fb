package conform

import (
	"context"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth023 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-023",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-handling"),
		Doc: `expired, refresh and ID tokens must return 401

A refresh token lives long and is for the authorization server only; an ID token is for the client. Neither is an access
token, even if the same key signed it. Expiry is tested if the token lives for two minutes at most; a minute is added for
clocks that differ.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, token, err := p.ownToken(ctx)
		if err != nil {
			return err
		}
		g, err := p.signedIn(ctx)
		if err != nil {
			return err
		}
		for _, try := range []struct{ token, what string }{
			{g.refresh, "refresh token as access token"}, {g.identity, "ID token as access token"},
		} {
			if err := p.rejectOwn(ctx, t, try.token, try.what); err != nil {
				return err
			}
		}
		if g.life <= 0 || g.life > maxAwaitedLife {
			return nil
		}
		return p.rejectExpired(ctx, t, token, g.life)
	},
}

// maxAwaitedLife is the longest lifetime of a token, in seconds, for whose end a check waits.
const maxAwaitedLife = 120

// clockSkew is how long after its expiry a token may still be accepted: the clocks of two servers differ.
const clockSkew = 60 * time.Second

// rejectExpired waits for the end of a token, and of what servers add to it for the difference of clocks.
func (p *CheckContext) rejectExpired(ctx context.Context, t *authMetadata, token string, life int) error {
	if err := p.round.paced.sleep(ctx, time.Duration(life+2)*time.Second); err != nil {
		return err
	}
	a, err := t.request.sendOwn(ctx, p, "", "Bearer "+token)
	if err != nil || a.Status == http.StatusUnauthorized {
		return err
	}
	if err := p.round.paced.sleep(ctx, clockSkew); err != nil {
		return err
	}
	return p.rejectOwn(ctx, t, token, "expired token")
}

// rejectOwn expects the server to reject a token of ours.
func (p *CheckContext) rejectOwn(ctx context.Context, t *authMetadata, token, what string) error {
	if token == "" {
		return nil
	}
	a, err := t.request.sendOwn(ctx, p, "", "Bearer "+token)
	if err == nil && a.Status != http.StatusUnauthorized {
		p.Report(Evidence{Answer: a, Subject: "authorization"}, "%s: expected 401, got HTTP %d", what, a.Status)
	}
	return err
}
