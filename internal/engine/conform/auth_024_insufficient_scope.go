package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth024 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-024",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/authorization#scope-challenge-handling"),
		Doc: `403 response should name the missing scopes

A client can ask for more scopes only if WWW-Authenticate of the 403 response has error="insufficient_scope", the scopes
that the operation needs, and resource_metadata.`,
	},
	Since: spec.November2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		_, token, err := p.ownToken(ctx)
		if err != nil {
			return err
		}
		var refused *HTTPExchange
		for _, r := range p.authRequests() {
			a, err := r.sendOwn(ctx, p, "", "Bearer "+token)
			if err != nil {
				return err
			}
			if a.Status == http.StatusForbidden {
				refused = a
				break
			}
		}
		if refused == nil {
			return p.Skip("no request needs more scopes than the own token has")
		}
		seen := Evidence{Answer: refused, Subject: "WWW-Authenticate"}
		if got := challenged(refused, "error"); got != "insufficient_scope" {
			p.Report(seen, "error: expected insufficient_scope, got %q", got)
		}
		for _, name := range []string{"scope", "resource_metadata"} {
			if challenged(refused, name) == "" {
				p.Report(seen, "403 response: no %s in WWW-Authenticate", name)
			}
		}
		return nil
	},
}
