package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res001 = &Check{
	Rule: finding.Rule{
		ID:       "RES-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/resources#listing-resources"),
		Doc: `A server that declares resources lists them.

Clients find resources by resources/list. A server that declares the capability answers it, page by page, with an
array; a server that has templates alone answers with an empty one.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *Pass) error { return p.answered(ctx, "resources/list") },
}
