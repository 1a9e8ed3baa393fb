package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var sub002 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#subscriptions"),
		Doc: `resources/updated should be sent only for subscribed resources

A client without subscriptions does not expect updates. Unsolicited notifications make hosts read resources repeatedly.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			for _, m := range c.Exchange.Between {
				if m.Method == "notifications/resources/updated" {
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Frames: []wire.Frame{m.Frame}},
						"notifications/resources/updated for %s without a subscription, expected none",
						show(At(m.Params, "/uri")))
					return nil
				}
			}
		}
		return err
	},
}
