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
		Doc: `each message must be on a single line

A message that spans several lines looks like several malformed messages to a client. Inside a message, a line break is
written as \\n in a string.`,
	},
	On:   OnPipe,
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.odd) {
			if strings.Contains(s.text, "JSON that ends too early") ||
				strings.HasPrefix(s.text, "more than one message") {
				p.Report(Evidence{Subject: "stdout", Frames: s.frames}, "%s, expected exactly 1 message per line",
					s.text)
			}
		}
		return nil
	},
}
