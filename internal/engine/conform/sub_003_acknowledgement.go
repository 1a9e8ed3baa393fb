package conform

import (
	"context"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var sub003 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/subscriptions"),
		Doc: `subscription must start with an acknowledgement

The first message on the stream of subscriptions/listen is notifications/subscriptions/acknowledged: it lists the
notifications that the server will send. Without it, a client does not know whether it has to poll.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		sub, err := p.heldSubscription(ctx)
		if err != nil {
			return err
		}
		var refusal *mcp.RPCError
		switch acknowledged := sub.h.recorded("notifications/subscriptions/acknowledged"); {
		case errors.As(sub.err, &refusal):
			p.Report(Evidence{Subject: "subscriptions/listen"},
				"subscriptions/listen failed with error %d: %s, expected the declared stream", refusal.Code,
				errorLine(refusal))
		case sub.err != nil && len(acknowledged) == 0:
			p.Report(Evidence{Subject: "subscriptions/listen"}, "%s", clip.Text(wire.Reason(sub.err), 200))
		}
		return nil
	},
}
