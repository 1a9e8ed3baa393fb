package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio009 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-009",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `Lines end with a newline alone.

A carriage return before the newline is taken for a part of the message by clients that split at newlines and then compare
or hash. Most read it all the same.`,
	},
	On:   OnPipe,
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		for _, s := range p.round.judge.seen(&p.round.judge.odd) {
			if strings.Contains(s.text, "CR LF") {
				p.Report(Seen{Subject: "standard output", Frames: s.frames}, "%s; want a newline alone", s.text)
				return nil
			}
		}
		return nil
	},
}
