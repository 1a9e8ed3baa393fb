package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec006 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `run of variation selectors

A variation selector changes the appearance of the one character before it. A run of them displays nothing and can carry
any bytes: text that only a model reads.

Remove them.`,
	},
	Check: func(p *Pass) {
		reportRunes(p, func(runes []rune, i int) string {
			if i+2 < len(runes) && selector(runes[i]) && selector(runes[i+1]) && selector(runes[i+2]) {
				return "run of variation selectors"
			}
			return ""
		})
	},
}

func selector(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF }
