package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var wire002 = &Check{
	Rule: finding.Rule{
		ID:       "WIRE-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("schema"),
		Doc: `Errors have the shape that the revision gives them.

An error is an object with an integer as code and a string as message; some codes have data of a given shape. A client that
cannot read the error cannot tell its user what went wrong.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		p.tell("error")
		return nil
	},
}
