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
		Doc: `resources/list should reject an unknown cursor

A server that treats an unknown cursor as the beginning returns the same page over and over to a client with an outdated
cursor. After error -32602, the client starts over.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.cursorRefused(ctx, "resources/list") },
}
