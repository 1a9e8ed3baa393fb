package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth037 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-037",
		Severity: finding.Warning,
		Spec:     "https://fetch.spec.whatwg.org/#http-access-control-expose-headers",
		Doc: `CORS responses should expose WWW-Authenticate

A client in a browser reads only the headers that Access-Control-Expose-Headers lists. If the server allows other origins
but does not expose WWW-Authenticate, such a client gets 401 and cannot find out where to get a token.

Add Access-Control-Expose-Headers: WWW-Authenticate, also to the 401 response.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		r := t.request
		r.header = r.header.Clone()
		r.header.Set("Origin", "https://"+foreignHost)
		a, err := r.send(ctx, p)
		if err != nil {
			return err
		}
		if a.Header.Get("Access-Control-Allow-Origin") == "" {
			return p.Skip("server does not allow other origins")
		}
		if a.Status != http.StatusUnauthorized || a.Header.Get("Www-Authenticate") == "" {
			return nil
		}
		p.reportOmitted(a, "Access-Control-Expose-Headers", []string{"WWW-Authenticate"})
		return nil
	},
}
