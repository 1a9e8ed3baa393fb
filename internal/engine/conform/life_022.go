package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life022 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-022",
		Severity: finding.Error,
		Spec:     spec.URL("2026-07-28", "basic/versioning"),
		Doc: `An unknown revision that looks old is refused like any other.

A revision that sorts before all known ones is as unknown as one from the future. Servers that compare dates take it for the
older era and answer with something that no client can read.`,
	},
	Since: mcp.NewestModern,
	Run:   func(ctx context.Context, p *Pass) error { return p.unknownRevision(ctx, "1900-01-01") },
}
