package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool004 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-004",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/pagination#error-handling"),
		Doc: `tools/list should reject an unknown cursor

A cursor is valid for one list of one server. A server that treats an unknown one as the beginning returns the same
tools over and over to a client with an outdated cursor. After error -32602, the client starts over.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.cursorRefused(ctx, "tools/list") },
}
