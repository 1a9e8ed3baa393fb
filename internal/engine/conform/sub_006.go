package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sub006 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/subscriptions"),
		Doc: `After a subscription was ended the next request is answered.

A client ends a subscription by closing its stream or taking the request back. The server goes on serving it.`,
	},
	Since: "2026-07-28",
	Run: func(ctx context.Context, p *Pass) error {
		filter, err := p.listenable(ctx)
		if err != nil {
			return err
		}
		s, err := p.Open(ctx, nil)
		if err != nil {
			return err
		}
		sub, err := s.Listen(ctx, filter)
		if err != nil {
			return p.Skip("the subscription did not begin")
		}
		sub.Close()
		ex, err := p.Alive(ctx, s)
		if err != nil {
			p.Report(Seen{Subject: p.pinged()}, "after a subscription was ended %s was not answered: %s; want an answer", p.pinged(), clip(err.Error(), 120))
			return nil
		}
		if ex.Reply.Error != nil {
			p.Report(Seen{Exchange: ex}, "after a subscription was ended %s was refused with error %d; want a result", p.pinged(), ex.Reply.Error.Code)
		}
		return nil
	},
}
