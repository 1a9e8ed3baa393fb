package conform

import (
	"context"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
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
io.modelcontextprotocol/subscriptionId. Over a shared pipe, nothing else distinguishes two subscriptions.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		filter, err := p.listenable(ctx)
		if err != nil {
			return err
		}
		h, err := p.RecordingSession(ctx, nil)
		if err != nil {
			return err
		}
		listening, stop := context.WithCancel(ctx)
		var group sync.WaitGroup
		group.Go(func() {
			h.await(listening, "notifications/subscriptions/acknowledged")
			stop() // a message without the ID is not treated as the start of the subscription
		})
		sub, err := h.Listen(listening, filter)
		if err != nil {
			stop()
		}
		group.Wait() // the session passes an acknowledgment to its subscription first, and then to h
		sub.Close()
		for _, m := range h.recorded("notifications/subscriptions/acknowledged") {
			if tag := At(m.Params, "/_meta/io.modelcontextprotocol~1subscriptionId"); tag == nil {
				p.Report(Evidence{Subject: "subscriptions/listen", Frames: []wire.Frame{m.Frame},
					Pointer: "/params/_meta"}, "acknowledgement has no io.modelcontextprotocol/subscriptionId, "+
					"expected the id of the request")
			}
		}
		return nil
	},
}
