package conform

import (
	"context"
	"fmt"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc019 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-019",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#requests"),
		Doc: `The ids "1" and 1 are two ids.

A server that keeps requests by the text of their ids mixes up a number and the string that looks like it, and answers one of
them twice.`,
	},
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		var group sync.WaitGroup
		ids := []string{`4711`, `"4711"`}
		errs := make([]error, len(ids))
		replies := make([]*mcp.Exchange, len(ids))
		for i, id := range ids {
			group.Go(func() {
				replies[i], errs[i] = p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(), p.Params("")))
			})
		}
		group.Wait()
		for i, id := range ids {
			switch {
			case errs[i] != nil:
				p.Report(Seen{Subject: p.pinged()}, "of two requests with the ids 4711 and \"4711\" the one with %s was not answered; want both answered", id)
			case !sameJSON(string(replies[i].Reply.ID), id):
				p.Report(Seen{Exchange: replies[i]}, "the request with id %s was answered with id %s; want the same", id, show(replies[i].Reply.ID))
			}
		}
		return nil
	},
}
