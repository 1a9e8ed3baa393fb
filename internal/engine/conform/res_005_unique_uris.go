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
		Doc: `resource URIs should be unique

A resource is identified by its URI. If two have the same URI, a client can show only one of them.

Rename one of them. If a page of the list repeats resources of an earlier one, let it start after the last resource of the page before.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.unique(ctx, "resources/list", "resource") },
}
