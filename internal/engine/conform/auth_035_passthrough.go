package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth035 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-035",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/security_best_practices#token-passthrough"),
		Doc: `server must not pass the token of a client on to another service

A token for this server is for nobody else. A service that gets it can act as the user here, and the server has no say in
what the user may do there. Use a token of the server itself, or exchange the token (RFC 8693).

Configure the server to use an address of this machine as that service, and name the address with --auth-upstream.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthLab,
	Run: func(ctx context.Context, p *CheckContext) error {
		o := p.round.opts.Auth
		switch {
		case o.Upstream == "":
			return p.Skip("needs a server that uses this machine as another service; use --auth-upstream")
		case len(o.As) == 0:
			return p.Skip("needs an own token; use --auth-as")
		}
		t, token, err := p.ownToken(ctx)
		if err != nil {
			return err
		}
		l, err := newUpstream(o.Upstream, token)
		if err != nil {
			return err
		}
		defer l.close()
		for range upstreamTries { // a server may have to connect again first
			if _, err := t.request.sendOwn(ctx, p, "", "Bearer "+token); err != nil {
				return err
			}
			p.WaitIdle(ctx)
			if _, found := l.seen(); found {
				break
			}
			if err := p.round.paced.sleep(ctx, time.Second); err != nil {
				return err
			}
		}
		count, found := l.seen()
		switch {
		case found:
			p.Report(Evidence{Subject: "authorization"}, "the other service received the token of the client")
		case count == 0:
			return p.Skip("the server sent no request to %s", o.Upstream)
		}
		return nil
	},
}

// upstreamTries is how often a request is sent, one second apart, to see what reaches the other service.
const upstreamTries = 5
