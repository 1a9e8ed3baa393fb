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
		Doc: `results must match the schema of the revision

Every result that the server sent during any check is validated against the schema of the revision: required fields,
their types and allowed values. Typed clients reject a whole response because of one wrong field. Findings that another
check reports at the same location are not repeated.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.reportViolations("result")
		return nil
	},
}
