package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool022 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-022",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#results"),
		Doc: `tools/call result must have a known resultType

resultType is complete, input_required, or a value that an extension supported by both sides defines. A client must
treat any other value as invalid, and the result is lost.`,
	},
	Since: spec.July2026,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			if c.Exchange.Reply.Error == nil {
				p.knownType(c.Name, c.Exchange)
			}
		}
		return err
	},
}
