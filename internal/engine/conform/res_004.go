package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res004 = &Check{
	Rule: finding.Rule{
		ID:       "RES-004",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/pagination#error-handling"),
		Doc: `resources/list refuses a cursor that it has not given out.

A server that takes an unknown cursor for the beginning serves a client that lost its place the same page again and
again. Error -32602 tells it to start over.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *Pass) error { return p.cursorRefused(ctx, "resources/list") },
}
