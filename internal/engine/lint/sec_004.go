package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec004 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `control character

Control characters, especially escape, have no meaning for a model. Printed to a terminal, they can hide text, change
the title or worse, and a reviewer does not see them.

Remove them.`,
	},
	Check: func(p *Pass) {
		reportRunes(p, func(runes []rune, i int) string {
			switch r := runes[i]; {
			case r == '\n' || r == '\t' || r == '\r':
			case r < 0x20 || r >= 0x7F && r < 0xA0:
				return "control character"
			}
			return ""
		})
	},
}
