package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth002 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#protected-resource-metadata-discovery-requirements"),
		Doc: `401 response must point to the protected resource metadata

A client learns where to get a token from WWW-Authenticate: Bearer with resource_metadata. From 2025-11-25 on, metadata
at the well-known location is enough. A client that finds neither cannot continue.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		challenge := t.refusal.Header.Get("Www-Authenticate")
		named := challenged(t.refusal, "resource_metadata") != ""
		switch {
		case challenge == "" && (!p.Revision.WellKnownAuth || t.metadata == nil):
			p.Report(Evidence{Answer: t.refusal, Subject: "WWW-Authenticate"},
				"401 response has no WWW-Authenticate header, expected Bearer with resource_metadata")
		case challenge != "" && !strings.HasPrefix(strings.ToLower(challenge), "bearer"):
			p.Report(Evidence{Answer: t.refusal, Subject: "WWW-Authenticate"},
				"WWW-Authenticate is %q, expected Bearer", clip.Text(challenge, 80))
		case !named && !p.Revision.WellKnownAuth:
			p.Report(Evidence{Answer: t.refusal, Subject: "WWW-Authenticate"},
				"WWW-Authenticate is %q, expected a resource_metadata parameter", clip.Text(challenge, 80))
		}
		return nil
	},
}
