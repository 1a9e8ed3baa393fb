package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var wire001 = &Check{
	Rule: finding.Rule{
		ID:       "WIRE-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("schema"),
		Doc: `Results have the shape that the revision gives them.

Every result that the server sent in any check is held against the tables of the revision: members that must be there, their
types, the values that they may have. Typed clients refuse a whole answer for one wrong member. What another check says of
the same place is not repeated here.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		p.tell("result")
		return nil
	},
}
