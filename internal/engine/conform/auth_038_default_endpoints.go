package conform

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth038 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-038",
		Severity: finding.Error,
		Spec:     "https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#fallbacks-for-servers-without-metadata-discovery",
		Doc: `server without metadata must have /authorize and /token at its origin

In 2025-03-26, a client that finds no metadata of an authorization server uses /authorize, /token and /register at the
origin of the server. If they are not there either, no client can get a token. Publish metadata, or serve these paths.`,
	},
	Since: spec.March2025,
	Until: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		u, err := url.Parse(p.Target.URL)
		if err != nil {
			return err
		}
		origin := u.Scheme + "://" + u.Host
		if t.metadata != nil || p.firstJSON(ctx, wellKnown(origin, "oauth-authorization-server", false)) != nil {
			return nil
		}
		for _, path := range []string{"/authorize", "/token", "/register"} {
			a, err := p.absent(ctx, origin+path)
			if err != nil {
				return err
			}
			switch seen := (Evidence{Answer: a, Subject: "authorization"}); {
			case a == nil:
			case path == "/register":
				p.Warn(seen, "%s: expected an endpoint that registers clients, got HTTP 404", path)
			default:
				p.Report(seen, "no metadata, and %s: expected an endpoint, got HTTP 404", path)
			}
		}
		return nil
	},
}

// absent returns the response of a URL with no endpoint for any method; nil if there is one. Many servers return 404 for
// methods that an endpoint does not have, so GET alone is not enough.
func (p *CheckContext) absent(ctx context.Context, address string) (*HTTPExchange, error) {
	var last *HTTPExchange
	for _, method := range []string{http.MethodGet, http.MethodOptions} {
		a, err := p.Fetch(ctx, Fetch{Method: method, URL: address, Anonymous: true})
		if err != nil {
			return nil, err
		}
		if a.Status != http.StatusNotFound {
			return nil, nil
		}
		last = a
	}
	return last, nil
}
