package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt010 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-010",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#results"),
		Doc: `prompts/get result must have a known resultType

resultType is complete or input_required. A client must treat any other value as invalid, and the messages are lost.`,
	},
	Since: spec.July2026,
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			if g.Exchange.Reply.Error == nil {
				p.knownType(g.Item.Name, g.Exchange)
			}
		}
		return p.orNotRendered(got, err)
	},
}
