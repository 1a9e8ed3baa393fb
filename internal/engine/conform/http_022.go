package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http022 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-022",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http"),
		Doc: `Events of a stream carry one message each.

The data of an event is one JSON-RPC message. A client reads event by event: half a message is none, and of two the second is
lost.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Last:  true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		for _, s := range p.round.judge.seen(&p.round.judge.odd) {
			if s.message.Frame.Event != nil && framing(s.text) {
				p.Report(Seen{Subject: "event stream", Frames: s.frames}, "an event whose data is no message: %s; want one JSON-RPC message", s.text)
			}
		}
		return nil
	},
}
