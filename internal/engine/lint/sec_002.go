package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec002 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `bidirectional control character

Bidirectional overrides and isolates (U+202A to U+202E, U+2066 to U+2069) make text look different from what it is: a
reviewer reads one thing, a model another.

Remove them.`,
	},
	Check: func(p *Pass) {
		reportRunes(p, func(runes []rune, i int) string {
			if r := runes[i]; r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
				return "bidirectional control character"
			}
			return ""
		})
	},
}
