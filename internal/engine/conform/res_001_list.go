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
		Doc: `server that declares resources must implement resources/list

Clients find resources with resources/list. A server that declares the capability must return an array, page by page; a
server that has only templates returns an empty one.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.expectResponse(ctx, "resources/list") },
}
