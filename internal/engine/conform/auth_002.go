package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth002 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#protected-resource-metadata-discovery-requirements"),
		Doc: `The refusal leads to the metadata of the resource.

A client finds out where to get a token from WWW-Authenticate: Bearer, with resource_metadata. From 2025-11-25 on the
well-known place will do instead; a client that has neither cannot go on.`,
	},
	Since: "2025-06-18",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		challenge := t.refusal.Header.Get("Www-Authenticate")
		named := challenged(t.refusal, "resource_metadata") != ""
		switch {
		case challenge == "" && (p.Revision.ID < "2025-11-25" || t.metadata == nil):
			p.Report(Seen{Answer: t.refusal, Subject: "WWW-Authenticate"}, "the refusal has no WWW-Authenticate; want Bearer with resource_metadata")
		case challenge != "" && !strings.HasPrefix(strings.ToLower(challenge), "bearer"):
			p.Report(Seen{Answer: t.refusal, Subject: "WWW-Authenticate"}, "WWW-Authenticate is %q; want Bearer", clip(challenge, 80))
		case !named && p.Revision.ID < "2025-11-25":
			p.Report(Seen{Answer: t.refusal, Subject: "WWW-Authenticate"}, "WWW-Authenticate is %q; want resource_metadata in it", clip(challenge, 80))
		}
		return nil
	},
}
