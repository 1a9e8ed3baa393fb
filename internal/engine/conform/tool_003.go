package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool003 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/pagination"),
		Doc: `The pages of the list of tools come to an end.

A cursor that comes again, is no string or leads on for ever makes a client read the same tools until it gives up.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *Pass) error { return p.ended(ctx, "tools/list") },
}
