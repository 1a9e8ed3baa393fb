package conform

import (
	"context"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth011 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-011",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#error-handling"),
		Doc: `request without a token must not get a redirect, a page or a result

A client recognizes only 401. A redirect to a sign-in page, which proxies in front of a server like to send, or a page
with status 200 looks like a broken server. If a server requires a token only for some tools, name one of them with
--auth-tool: a call of it without a token must get 401.

Let the proxy pass requests to the path of the server, or let it return 401 with WWW-Authenticate.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.anonymous(ctx)
		if err != nil {
			return err
		}
		a := t.answer
		seen := Evidence{Answer: a, Subject: "authorization"}
		switch {
		case a.Status/100 == 3:
			p.Report(seen, "request without a token: expected 401, got HTTP %d, a redirect", a.Status)
		case a.Type() == "text/html" && a.Status != http.StatusUnauthorized:
			p.Report(seen, "request without a token: expected 401, got HTTP %d with a page", a.Status)
		case t.refusal == nil && p.round.opts.Auth.Tool != "":
			p.Report(seen, "call of %s without a token: expected 401, got HTTP %d", p.round.opts.Auth.Tool, a.Status)
		case t.refusal == nil:
			return p.Skip("%s", noRefusal)
		case strings.Contains(t.refusal.Type(), "html"):
			p.Warn(Evidence{Answer: t.refusal, Subject: "authorization"},
				"401 response: expected JSON or no content, got a page")
		}
		return nil
	},
}

// noRefusal is why nothing can be checked on a server that served every request.
const noRefusal = "no request without a token was rejected; if only some tools require one, use --auth-tool"

// anonymous is Protection also for a server that rejected nothing.
func (p *CheckContext) anonymous(ctx context.Context) (*authMetadata, error) {
	_, _ = p.Protection(ctx)
	t := &p.round.auth
	return t, t.err
}
