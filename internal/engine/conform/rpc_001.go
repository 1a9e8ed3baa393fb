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
		Doc: `A string id comes back as the same string.

Clients find the request that an answer is for by its id. An id that comes back as another value, or as a number because it
looks like one, belongs to no request, and the client waits for ever.`,
	},
	Run: func(ctx context.Context, p *Pass) error { return p.echoed(ctx, `"mcptest-é-1"`, `"0042"`) },
}

// echoed sends requests with ids of the check's choice and wants each back as it was.
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
			p.Report(Seen{Exchange: ex}, "the request with id %s was answered with id %s; want the same", id, show(ex.Reply.ID))
		}
	}
	return nil
}
