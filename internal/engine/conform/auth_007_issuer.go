package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth007 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#authorization-server-metadata-discovery"),
		Doc: `issuer must match the URL of the authorization server

The issuer in the metadata is exactly the URL from which the metadata location was derived. A document with another
issuer may come from an attacker (mix-up attack).`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		known, err := p.knownIssuers(ctx)
		for _, s := range known {
			if got := schema.TextAt(s.metadata.Body, "/issuer"); got != s.name {
				p.Report(Evidence{Answer: s.metadata, Subject: "authorization server metadata", Pointer: "/issuer"},
					"issuer is %s, expected %q", show(At(s.metadata.Body, "/issuer")), clip.Text(s.name, 80))
			}
		}
		return err
	},
}
