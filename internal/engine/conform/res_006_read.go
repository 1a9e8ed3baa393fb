package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res006 = &Check{
	Rule: finding.Rule{
		ID:       "RES-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#reading-resources"),
		Doc: `listed resources should be readable

Users choose from the list. A listed resource that cannot be read, or has no contents, is a dead end. The check tries
the first 5 resources.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			switch refusal := r.Exchange.Reply.Error; {
			case refusal != nil:
				p.Warn(Evidence{Subject: r.Item.Name, Exchange: r.Exchange},
					"resources/read of a listed resource failed with error %d: %s, expected its contents", refusal.Code,
					errorLine(refusal))
			case schema.TextAt(r.Exchange.Reply.Result, "/resultType") != "input_required" &&
				len(contentsOf(r.Exchange.Reply.Result)) == 0:
				p.Report(Evidence{Subject: r.Item.Name, Exchange: r.Exchange, Pointer: "/contents"},
					"listed resource has no contents, expected at least one")
			}
		}
		return err
	},
}
