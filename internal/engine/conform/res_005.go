package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res005 = &Check{
	Rule: finding.Rule{
		ID:       "RES-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#resource"),
		Doc: `No two resources have the same address.

A resource is read by its address. Of two with the same one a client can show only one.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *Pass) error { return p.unique(ctx, "resources/list", "resource") },
}
