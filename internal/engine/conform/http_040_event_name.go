package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http040 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-040",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports#sending-messages-to-the-server"),
		Doc: `SSE events must have the type message

Clients read JSON-RPC messages from events of the type message, which is the default. A message in an event of another
type is silently dropped, and the request appears to hang.`,
	},
	On:   OnHTTP,
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.callOnce(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.named) {
			p.once(Evidence{Subject: s.text, Frames: s.frames},
				"message received in an event of type %s, expected message", quoted(s.text))
		}
		return nil
	},
}
