package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio001 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `stdout must contain only JSON-RPC messages.

A line that is no message breaks the stream for every client that reads strictly: a banner, a log line, a progress bar. It is
the fault that is reported most often of servers on standard streams. Logs belong on standard error.`,
	},
	On:   OnPipe,
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		p.callOnce(ctx)
		for _, s := range p.round.judge.seen(&p.round.judge.odd) {
			if strings.HasPrefix(s.text, "not JSON") || strings.Contains(s.text, "bytes follow the message") {
				when := ""
				if s.during != "" {
					when = ", while " + s.during + " was in progress"
				}
				p.Report(Seen{Subject: "standard output", Frames: s.frames}, "%s%s; want one message a line and nothing else", s.text, when)
			}
		}
		return nil
	},
}
