package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var log004 = &Check{
	Rule: finding.Rule{
		ID:       "LOG-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/logging"),
		Doc: `log messages must not be sent unless requested

In this revision, a client requests log messages with each request, by io.modelcontextprotocol/logLevel in its _meta.
Without it, a server must not send any.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			for _, m := range c.Exchange.Between {
				if m.Method == "notifications/message" {
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Frames: []wire.Frame{m.Frame}},
						"notifications/message sent during a call without logLevel in its _meta, expected none")
				}
			}
		}
		return err
	},
}
