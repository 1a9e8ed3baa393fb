package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life003 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-003",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#version-negotiation"),
		Doc: `A revision older than all is answered with one that the server speaks.

Servers that compare revisions as dates often handle newer ones and stumble over older ones. The rule is the same for
both: answer with a revision that the server speaks.`,
	},
	Until: mcp.NewestLegacy,
	Run:   func(ctx context.Context, p *Pass) error { return p.negotiate(ctx, "1999-01-01") },
}
