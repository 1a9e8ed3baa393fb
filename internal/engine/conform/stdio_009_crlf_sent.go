package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio009 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-009",
		Severity: finding.Info,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `lines should end in LF, not CRLF

A carriage return after a message is white space of JSON, so that clients parse the line. Programs that split at newlines and
then compare or hash the text treat it as a part of the message.`,
	},
	On:   OnPipe,
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.odd) {
			if strings.Contains(s.text, mcp.EndsWithCRLF) {
				p.Report(Evidence{Subject: "stdout", Frames: s.frames}, "%s, expected LF alone", s.text)
				return nil
			}
		}
		return nil
	},
}
