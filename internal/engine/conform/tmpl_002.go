package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl002 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/pagination"),
		Doc: `The pages of the list of templates come to an end.

A cursor that comes again, is no string or leads on for ever makes a client read the same templates until it gives up.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *Pass) error { return p.ended(ctx, "resources/templates/list") },
}
