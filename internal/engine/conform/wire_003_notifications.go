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
		Doc: `notifications must match the schema of the revision

Every notification that the server sent during any check is validated against the schema of the revision, including its
method: clients do not support a method that the revision does not define.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.reportViolations("notification")
		return nil
	},
}
