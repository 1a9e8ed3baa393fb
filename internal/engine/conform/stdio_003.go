package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio003 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `Each message is one line.

A message that is spread over several lines is several broken messages to a client. A line break inside of a message stands
as \\n in a string.`,
	},
	On:   OnPipe,
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		for _, s := range p.round.judge.seen(&p.round.judge.odd) {
			if strings.Contains(s.text, "JSON that ends too early") || strings.HasPrefix(s.text, "more than one message") {
				p.Report(Seen{Subject: "standard output", Frames: s.frames}, "%s; want exactly one message on each line", s.text)
			}
		}
		return nil
	},
}
