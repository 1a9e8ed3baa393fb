package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc004 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#notifications"),
		Doc: `notifications must not be answered

A notification has no ID, so a response to it matches no request. Clients treat it as a protocol error, and some close
the connection. Unknown notifications must be ignored, and so must late cancellations.`,
	},
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		var first wire.Frame
		for i, body := range p.notifications() {
			sent, err := p.SendRaw(ctx, s, body)
			if err != nil {
				return err
			}
			if i == 0 {
				first = sent
			}
		}
		if _, err := p.Alive(ctx, s); err != nil {
			return err
		}
		p.WaitIdle(ctx)
		for _, f := range p.repliesTo(first) {
			p.Report(Evidence{Subject: "notifications", Frames: []wire.Frame{first, f}},
				"notification was answered, expected no response")
		}
		return nil
	},
}

// notifications returns notifications that a server has to accept without a response: an unknown one, and a
// cancellation of a request that it does not know.
func (p *CheckContext) notifications() []string {
	return []string{
		`{"jsonrpc":"2.0","method":"notifications/mcptest-unknown","params":` + p.Params("") + `}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"mcptest-finished"}}`,
	}
}
