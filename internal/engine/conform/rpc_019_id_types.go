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
		Doc: `ids "1" and 1 must be treated as different

A server that stores requests by the text of their IDs confuses a number with the string that looks like it, and answers
one of them twice.`,
	},
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
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
				replies[i], errs[i] = p.Send(ctx, s, id,
					fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(), p.Params("")))
			})
		}
		group.Wait()
		for i, id := range ids {
			switch {
			case errs[i] != nil:
				p.Report(Evidence{Subject: p.pinged()},
					"requests with ids 4711 and \"4711\": no response to %s, expected both", id)
			case !sameJSON(string(replies[i].Reply.ID), id):
				p.Report(Evidence{Exchange: replies[i]},
					"request with id %s: got a response with id %s, expected the same id", id,
					show(replies[i].Reply.ID))
			}
		}
		return nil
	},
}
