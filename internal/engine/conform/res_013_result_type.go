package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res013 = &Check{
	Rule: finding.Rule{
		ID:       "RES-013",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#results"),
		Doc: `resources/read result must have a known resultType

resultType is complete or input_required. A client must treat any other value as invalid, and the contents are lost.`,
	},
	Since: spec.July2026,
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			if r.Exchange.Reply.Error == nil {
				p.knownType(r.Item.Name, r.Exchange)
			}
		}
		return err
	},
}
