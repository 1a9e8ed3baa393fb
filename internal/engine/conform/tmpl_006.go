package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl006 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/caching"),
		Doc: `All pages of the list of templates may be kept by the same clients.

A list that is private on one page and public on another is one that a shared cache keeps half of.`,
	},
	Since: "2026-07-28",
	Needs: "resources",
	Run:   func(ctx context.Context, p *Pass) error { return p.oneScope(ctx, "resources/templates/list") },
}
