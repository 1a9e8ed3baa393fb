package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth013 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-013",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization"),
		Doc: `resource should be the exact URL, and URL/ must be protected, too

Some clients compare resource with the URL that the user typed, character by character, and do not use the token if it
differs. And a path with a slash at its end is often another route of the server: if it has no access control, the token
protects nothing.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Auth:  AuthSafe,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		if t.metadata != nil {
			resource := schema.TextAt(t.metadata.Body, "/resource")
			if resource != p.Target.URL && sameResource(resource, p.Target.URL) {
				p.Warn(Evidence{Answer: t.metadata, Subject: "protected resource metadata", Pointer: "/resource"},
					"resource: expected %q, the URL of the server, got %q", clip.Text(p.Target.URL, 80),
					clip.Text(resource, 80))
			}
		}
		address, ok := otherSlash(p.Target.URL)
		if !ok {
			return nil
		}
		a, err := t.request.sendTo(ctx, p, address)
		if err == nil && served(a) && a.Reply() != nil {
			p.Report(Evidence{Answer: a, Subject: "authorization"},
				"request without a token to %s: expected a rejection, got HTTP %d", clip.Text(address, 80), a.Status)
		}
		return err
	},
}

// otherSlash returns a URL with a slash at the end of its path if it has none, and without it if it has one.
func otherSlash(address string) (string, bool) {
	path, query, _ := strings.Cut(address, "?")
	other := path + "/"
	if strings.HasSuffix(path, "/") {
		other = strings.TrimSuffix(path, "/")
	}
	if query != "" {
		other += "?" + query
	}
	_, after, _ := strings.Cut(path, "://")
	return other, strings.Contains(strings.TrimSuffix(after, "/"), "/")
}
