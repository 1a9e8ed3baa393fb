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
		Doc: `errors must match the schema of the revision

An error is an object with an integer code and a string message; some codes have data with a defined schema. A client
that cannot parse the error cannot show the user what went wrong.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.reportViolations("error")
		return nil
	},
}
