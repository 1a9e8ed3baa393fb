package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var sub005 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-005",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/subscriptions"),
		Doc: `subscription messages must carry the subscription id

Every message of a subscription, starting with the acknowledgement, has the ID of the request in its _meta as
io.modelcontextprotocol/subscriptionId. Over a shared pipe, nothing else distinguishes two subscriptions: clients ignore
messages without it. A subscription to everything that the server declares is open while other checks run, to see what
the server sends on its own.`,
	},
	Since: spec.July2026,
	Last:  true, // what the server sends on its own arrives while other checks run
	Run: func(ctx context.Context, p *CheckContext) error {
		sub, err := p.heldSubscription(ctx)
		if err != nil {
			return err
		}
		if sub.err == nil && sub.h.Err() == nil && !p.round.processes.wasClosed(sub.h.Session) {
			p.waitUntil(ctx, sub.since.Add(held))
		}
		for _, m := range sub.h.all() {
			id := At(m.Params, subscriptionID)
			if !sub.isOwn(m) || schema.Kind(id) == '0' {
				continue // our ids are numbers
			}
			what := m.Method
			if what == "notifications/subscriptions/acknowledged" {
				what = "acknowledgement"
			}
			where := Evidence{Subject: "subscriptions/listen", Frames: []wire.Frame{m.Frame}, Pointer: "/params/_meta"}
			if id == nil {
				p.once(where, "%s has no io.modelcontextprotocol/subscriptionId, expected the id of the request", what)
				continue
			}
			p.once(where, "%s has the io.modelcontextprotocol/subscriptionId %s, expected the id of the request, which is a number", what,
				show(id))
		}
		if sub.err == nil {
			sub.open.Close()
		}
		return nil
	},
}
