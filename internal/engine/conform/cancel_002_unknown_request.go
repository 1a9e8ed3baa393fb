package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var cancel002 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#error-handling"),
		Doc: `cancellation of an unknown request must be ignored

A response and its cancellation can cross on the wire, so a server often receives cancellations for requests that are
already finished or that it never received. It must ignore them, and also a cancellation that names no request.`,
	},
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for _, params := range []string{`{"requestId":"mcptest-never-asked"}`, `{"requestId":1000000}`, `{}`} {
			if _, err := p.SendRaw(ctx, s, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":`+params+
				`}`); err != nil {
				return err
			}
		}
		ex, err := p.Alive(ctx, s)
		if err != nil {
			p.Report(Evidence{Subject: p.pinged()},
				"after cancelling unknown requests: no response to %s: %s, expected a response", p.pinged(),
				clip.Text(wire.Reason(err), 120))
			return nil
		}
		if ex.Reply.Error != nil {
			p.Report(Evidence{Exchange: ex}, "after cancelling unknown requests: %s failed with error %d, expected a "+
				"result", p.pinged(), ex.Reply.Error.Code)
		}
		return nil
	},
}
