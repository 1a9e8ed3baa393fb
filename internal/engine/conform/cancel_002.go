package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var cancel002 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#error-handling"),
		Doc: `Taking back a request that there is not changes nothing.

The answer and its cancellation cross on the way, so that a server often hears of requests that it has answered or
never knew. It ignores them, and also a notification that names none.`,
	},
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for _, params := range []string{`{"requestId":"mcptest-never-asked"}`, `{"requestId":1000000}`, `{}`} {
			if _, err := p.Throw(ctx, s, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":`+params+`}`); err != nil {
				return err
			}
		}
		ex, err := p.Alive(ctx, s)
		if err != nil {
			p.Report(Seen{Subject: p.pinged()}, "after the cancellation of requests that there are not %s was not answered: %s; want an answer", p.pinged(), clip(err.Error(), 120))
			return nil
		}
		if ex.Reply.Error != nil {
			p.Report(Seen{Exchange: ex}, "after the cancellation of requests that there are not %s was refused with error %d; want a result", p.pinged(), ex.Reply.Error.Code)
		}
		return nil
	},
}
