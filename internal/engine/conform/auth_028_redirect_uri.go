package conform

import (
	"context"
	"html"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth028 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-028",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#open-redirection"),
		Doc: `redirect URI must match the registered one exactly

The authorization server sends the code to the redirect URI. If another path, host or query is accepted, an attacker gets
the code. The server must not redirect there, not even with an error.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		c, err := p.registeredClient(ctx)
		if err != nil {
			return err
		}
		for _, try := range []struct{ what, redirect string }{
			{"another path", c.redirect + "/other"},
			{"another host", strings.Replace(c.redirect, "127.0.0.1", "127.0.0.1.mcptest-other.example", 1)},
			{"an additional query", c.redirect + "?other=1"},
			{"another https URL", "https://mcptest-other.example/callback"},
		} {
			a, to, err := p.authorize(ctx, c, url.Values{"redirect_uri": {try.redirect}})
			if err != nil {
				return err
			}
			wrong, _ := url.Parse(try.redirect)
			seen := Evidence{Answer: a, Subject: "authorization endpoint"}
			switch {
			case to.Host == wrong.Host && to.Path == wrong.Path:
				p.Report(seen, "redirect_uri with %s: expected an error page, got a redirect there", try.what)
			case served(a) && linksTo(a.Body, wrong):
				p.Report(seen, "redirect_uri with %s: expected an error page, got a page with a link there", try.what)
			}
		}
		return nil
	},
}

// linksTo reports whether a page has a link or a form that leads to a URL, as a page that asks for consent has. A page
// that only shows the URL has none.
func linksTo(page []byte, u *url.URL) bool {
	for _, link := range pageLink().FindAllSubmatch(page, -1) {
		target := html.UnescapeString(string(link[1]))
		if strings.Contains(target, u.String()) || strings.Contains(target, url.QueryEscape(u.String())) {
			return true
		}
	}
	return false
}

var pageLink = lazyregexp.New(`(?:href|action|value)="([^"]*)"`)
