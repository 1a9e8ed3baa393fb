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
		Doc: `Requests of the server have the shape that the revision gives them.

Every request that the server sent in any check (ping, roots, sampling, elicitation, tasks) is held against the tables of the
revision. Hosts refuse what they cannot read, and the tool call that wanted an answer fails.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		p.tell("request")
		return nil
	},
}
