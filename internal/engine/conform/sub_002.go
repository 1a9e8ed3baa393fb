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
		Doc: `A client is told of changes of those resources alone that it has subscribed to.

A client that has subscribed to nothing does not want to hear of resources. News that nobody asked for make hosts read
again and again.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *Pass) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			for _, m := range c.Exchange.Between {
				if m.Method == "notifications/resources/updated" {
					p.Report(Seen{Subject: c.Name, Exchange: c.Exchange, Frames: []wire.Frame{m.Frame}}, "notifications/resources/updated came for %s, to which nobody has subscribed; want none", show(At(m.Params, "/uri")))
					return nil
				}
			}
		}
		return err
	},
}
