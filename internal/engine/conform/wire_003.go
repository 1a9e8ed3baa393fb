package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var wire003 = &Check{
	Rule: finding.Rule{
		ID:       "WIRE-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("schema"),
		Doc: `Notifications have the shape that the revision gives them.

Every notification that the server sent in any check is held against the tables of the revision, its method among them: one
that the revision does not have is understood by no client.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		p.tell("notification")
		return nil
	},
}
