package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio001 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `stdout must contain only JSON-RPC messages

A line that is not a message breaks the stream for every strict client: a banner, a log line, a progress bar. This is
the most frequently reported fault of stdio servers. Write logs to stderr.

Python buffers what is printed to a pipe: the line may appear much later, between two messages. To see it at once, the
check calls the tools with PYTHONUNBUFFERED=1 in the environment of the server.`,
	},
	On:   OnPipe,
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.callOnce(ctx)
		noise := p.round.validator.noise()
		for _, s := range noise {
			when := ""
			if s.during != "" {
				when = ", while " + s.during + " was in progress"
			} else if slices.ContainsFunc(noise, func(other observation) bool {
				return other.text == s.text &&
					other.during != ""
			}) {
				continue // the calls that print it are named
			}
			p.Report(Evidence{Subject: "stdout", Frames: s.frames}, "unexpected output: %s%s", s.text, when)
		}
		return nil
	},
}

// noise lists what is not a message.
func (v *frameValidator) noise() []observation {
	return slices.DeleteFunc(v.observations(&v.odd), func(s observation) bool {
		return !strings.HasPrefix(s.text, "not JSON") && !strings.Contains(s.text, "bytes follow the message")
	})
}

// printsInCalls reports whether a server wrote something that is not a message while a call was in progress.
func printsInCalls(rounds []*revisionRun) bool {
	return slices.ContainsFunc(rounds, func(r *revisionRun) bool {
		return slices.ContainsFunc(r.validator.noise(), func(s observation) bool { return s.during != "" })
	})
}
