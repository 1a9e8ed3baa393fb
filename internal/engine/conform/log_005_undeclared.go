package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var log005 = &Check{
	Rule: finding.Rule{
		ID:       "LOG-005",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "server/utilities/logging#capabilities"),
		Doc: `log messages must be sent only if logging is declared

The server sent notifications/message, but does not declare the logging capability. Clients offer logs and their level only
for servers that declare it, and drop other messages. Declare logging and implement logging/setLevel, or write to stderr.
It is a warning because some SDKs send log messages without declaring them.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.callOnce(ctx)
		if p.Declares("logging") {
			return nil
		}
		for _, s := range p.round.validator.observations(&p.round.validator.notifications) {
			if s.method == "notifications/message" {
				p.Report(Evidence{Subject: s.method, Frames: s.frames},
					"server sent %s without declaring logging, expected it to be declared", s.method)
				break
			}
		}
		return nil
	},
}
