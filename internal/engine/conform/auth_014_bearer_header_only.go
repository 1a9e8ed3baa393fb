package conform

import (
	"context"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth014 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-014",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-requirements"),
		Doc: `only a Bearer token in the Authorization header must give access

A server that finds any credential sufficient has no access control: an empty token, the scheme Basic, a token in the
query, two Authorization headers. These are the usual gaps of a middleware that only tests whether something is there.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		const invalid = "mcptest-no-such-token"
		for _, try := range []struct {
			what, address string
			authorization []string
		}{
			{"access_token in the query", withQuery(p.Target.URL, "access_token="+invalid), nil},
			{"Authorization with scheme Basic", "", []string{"Basic bWNwdGVzdDptY3B0ZXN0"}},
			{"empty Bearer token", "", []string{"Bearer "}},
			{"two Authorization headers", "", []string{"Bearer " + invalid, "Bearer " + invalid + "-2"}},
		} {
			a, err := t.request.sendTo(ctx, p, try.address, try.authorization...)
			if err != nil {
				return err
			}
			seen := Evidence{Answer: a, Subject: "authorization"}
			switch {
			case served(a):
				p.Report(seen, "%s: expected 401, got HTTP %d", try.what, a.Status)
			case a.Status >= http.StatusInternalServerError:
				p.Report(seen, "%s: expected 401, got HTTP %d: the server fails", try.what, a.Status)
			}
		}
		return nil
	},
}

// withQuery adds a parameter to a URL.
func withQuery(address, parameter string) string {
	if strings.Contains(address, "?") {
		return address + "&" + parameter
	}
	return address + "?" + parameter
}
