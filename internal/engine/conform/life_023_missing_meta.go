package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life023 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-023",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic#request-metadata"),
		Doc: `request without _meta must fail with -32602

In revisions from 2026-07-28 on, each request names its revision in _meta. A server that accepts a request without it
has to guess the revision, and servers guess differently. For a stdio server that also supports revisions with a
handshake, the request may be one sent before the handshake: there, any other behavior is a warning.`,
	},
	Since: spec.NewestModern,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		return p.refusesMeta(ctx, s, `{}`, "without _meta", p.tooEarly)
	},
}
