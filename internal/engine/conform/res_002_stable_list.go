package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res002 = &Check{
	Rule: finding.Rule{
		ID:       "RES-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#listing-resources"),
		Doc: `resources/list should be stable between clients

If the order of a list differs between readings, hosts assume that the list has changed.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.repeated(ctx, "resources/list") },
}
