package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life002 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-002",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#version-negotiation"),
		Doc: `initialize with an unknown version must return a supported version

A request for a future revision must not fail: the server returns the newest revision that it supports, and the client
decides whether to continue. A server must not echo a revision that it does not support.`,
	},
	Until: spec.NewestLegacy,
	Run:   func(ctx context.Context, p *CheckContext) error { return p.negotiate(ctx, "2099-12-31") },
}
