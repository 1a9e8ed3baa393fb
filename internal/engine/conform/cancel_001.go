package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var cancel001 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#behavior-requirements"),
		Doc: `After a request was cancelled the next one is answered.

Servers have lost their reader with the task that was cancelled, or answered every later request with the error of
that one. A person who stops a call wants to go on working.`,
	},
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for n := range 3 {
			if err := p.cancelOne(ctx, s, n); err != nil {
				return err
			}
		}
		ex, err := p.Alive(ctx, s)
		if err != nil {
			p.Report(Seen{Subject: p.pinged()}, "after three requests were cancelled %s was not answered: %s; want an answer", p.pinged(), clip(err.Error(), 120))
			return nil
		}
		if ex.Reply.Error != nil {
			p.Report(Seen{Exchange: ex}, "after three requests were cancelled %s was refused with error %d; want a result", p.pinged(), ex.Reply.Error.Code)
		}
		return nil
	},
}

// cancelOne sends a request that every server has and takes it back at once.
func (p *Pass) cancelOne(ctx context.Context, s *mcp.Session, n int) error {
	return p.cancelRequest(ctx, s, fmt.Sprintf("mcptest-cancelled-%d", n), p.pinged(), nil)
}

// cancelRequest sends a request and cancels it at once: by closing its stream where that is the way of the era, by a
// notification elsewhere.
func (p *Pass) cancelRequest(ctx context.Context, s *mcp.Session, id, method string, params json.RawMessage) error {
	if p.Modern() && placeOf(p.Target.Transport()) == OnHTTP {
		one, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		_, _ = p.CallIn(one, s, method, params)
		return nil
	}
	for _, body := range []string{
		fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":%s}`, id, method, p.Params(string(params))),
		fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%q,"reason":"a test"}}`, id),
	} {
		if _, err := p.Throw(ctx, s, body); err != nil {
			return err
		}
	}
	return nil
}
