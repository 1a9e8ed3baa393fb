package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var sub006 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/subscriptions"),
		Doc: `server must keep answering after a subscription ends

A client ends a subscription by closing its stream or cancelling the request. The server must continue to serve the
client.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
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
			return p.Skip("subscription did not start")
		}
		sub.Close()
		ex, err := p.Alive(ctx, s)
		if err != nil {
			p.Report(Evidence{Subject: p.pinged()},
				"after a subscription ended: no response to %s: %s, expected a response", p.pinged(),
				clip.Text(wire.Reason(err), 120))
			return nil
		}
		if ex.Reply.Error != nil {
			p.Report(Evidence{Exchange: ex}, "after a subscription ended: %s failed with error %d, expected a result",
				p.pinged(), ex.Reply.Error.Code)
		}
		return nil
	},
}
