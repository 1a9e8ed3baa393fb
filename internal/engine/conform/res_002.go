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
		Doc: `The list of resources is the same for two clients in a row.

A list whose order changes from one reading to the next makes hosts believe that it has changed.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *Pass) error { return p.repeated(ctx, "resources/list") },
}
