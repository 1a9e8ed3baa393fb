package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life003 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-003",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#version-negotiation"),
		Doc: `initialize with a too old version must return a supported version

Servers that compare revisions as dates often handle newer ones but fail on older ones. The rule is the same for both:
return a supported revision.`,
	},
	Until: spec.NewestLegacy,
	Run:   func(ctx context.Context, p *CheckContext) error { return p.negotiate(ctx, "1999-01-01") },
}
