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
		Doc: `each SSE event must carry exactly one message

The data of an event is one JSON-RPC message. Clients read event by event: a partial message cannot be parsed, and a
second message in the same event is lost.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.odd) {
			if s.message.Frame.Event != nil && framing(s.text) {
				p.Report(Evidence{Subject: "event stream", Frames: s.frames},
					"event data is not a JSON-RPC message: %s, expected exactly one message", s.text)
			}
		}
		return nil
	},
}
