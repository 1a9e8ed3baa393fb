package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
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
		seen := map[string]bool{}
		for _, s := range p.round.validator.observations(&p.round.validator.notifications) {
			logger := schema.TextAt(s.message.Params, "/logger")
			if s.method != "notifications/message" || seen[logger] || len(seen) == maxLoggers {
				continue
			}
			seen[logger] = true
			of := ""
			if logger != "" {
				of = " of the logger " + quoted(logger)
			}
			p.Report(Evidence{Subject: s.method, Frames: s.frames},
				"server sent %s%s without declaring logging, expected it to be declared", s.method, of)
		}
		return nil
	},
}

// maxLoggers is how many loggers are reported: one may be that of an SDK, another that of the author.
const maxLoggers = 3
