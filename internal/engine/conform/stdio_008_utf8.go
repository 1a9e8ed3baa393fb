package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var stdio008 = &Check{
	Rule: finding.Rule{
		ID:       "STDIO-008",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/stdio"),
		Doc: `messages must be UTF-8

JSON on the wire is UTF-8 without a byte order mark. Strict clients reject the whole message because of one byte in
another encoding.`,
	},
	On:   OnPipe,
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.odd) {
			if strings.Contains(s.text, "byte order mark") || strings.Contains(s.text, "UTF-8") {
				p.Report(Evidence{Subject: "stdout", Frames: s.frames}, "%s, expected UTF-8 without a byte order mark",
					s.text)
			}
		}
		return nil
	},
}
