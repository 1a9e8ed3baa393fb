package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc001 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `string request ids must be returned unchanged

Clients match responses to requests by ID. If the ID is returned as another value, or as a number because it looks like
one, it matches no request and the client waits until its timeout.`,
	},
	Run: func(ctx context.Context, p *Pass) error { return p.echoed(ctx, `"mcptest-é-1"`, `"0042"`) },
}

// echoed sends requests with the given IDs and expects each to be returned unchanged.
func (p *Pass) echoed(ctx context.Context, ids ...string) error {
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, p.pinged(), p.Params("")))
		if err != nil {
			return p.lostID(ctx, id, err)
		}
		if got := string(ex.Reply.ID); !sameJSON(got, id) {
			p.Report(Seen{Exchange: ex}, "request with id %s: got a response with id %s, expected the same id", id, show(ex.Reply.ID))
		}
	}
	return nil
}
