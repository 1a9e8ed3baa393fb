package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var wire004 = &Check{
	Rule: finding.Rule{
		ID:       "WIRE-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("schema"),
		Doc: `server requests must match the schema of the revision

Every request that the server sent during any check (ping, roots, sampling, elicitation, tasks) is validated against the
schema of the revision. Hosts reject what they cannot parse, and the tool call that waits for the response fails.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.reportViolations("request")
		return nil
	},
}
