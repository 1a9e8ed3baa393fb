package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life022 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-022",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/versioning"),
		Doc: `request with an unknown old version must fail with -32022

A revision that sorts before all known ones is as unknown as a future one. Servers that compare dates treat it as a
legacy revision and send a response that no client can read.`,
	},
	Since: spec.NewestModern,
	Run:   func(ctx context.Context, p *CheckContext) error { return p.unknownRevision(ctx, "1900-01-01") },
}
