package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth006 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#authorization-server-metadata-discovery"),
		Doc: `authorization server must publish metadata

The metadata contains the authorization and token endpoints. It is published according to RFC 8414 or OpenID Connect
discovery.`,
	},
	Since: spec.June2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		if len(t.servers) == 0 {
			return p.Missing("the metadata names no authorization server")
		}
		for _, s := range t.servers {
			if s.metadata == nil && fetchable(s.name) {
				p.Report(Evidence{Answer: t.metadata, Subject: "authorization server"},
					"authorization server %s has no metadata at its well-known locations, expected a JSON document",
					clip.Text(s.name, 80))
			}
		}
		return nil
	},
}
