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
		Doc: `tools/list refuses a cursor that it has not given out.

A cursor belongs to one list of one server. A server that takes an unknown one for the beginning serves a client that
lost its place the same tools again and again. Error -32602 tells it to start over.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *Pass) error { return p.cursorRefused(ctx, "tools/list") },
}
