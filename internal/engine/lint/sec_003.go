package lint

import (
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec003 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `zero-width character inside a word

A zero-width character between two letters of a non-joining script hides a difference: two names look the same but are
not, or a filter does not find a word.

Remove it. Emoji, and scripts that need joiners, are not reported.`,
	},
	Check: func(p *Pass) {
		reportRunes(p, func(runes []rune, i int) string {
			switch runes[i] {
			case 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF:
			default:
				return ""
			}
			if i > 0 && i+1 < len(runes) && separateLetter(runes[i-1]) && separateLetter(runes[i+1]) {
				return "zero-width character inside a word"
			}
			return ""
		})
	},
}

// separateLetter reports whether r belongs to a script whose letters do not join.
func separateLetter(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek) || unicode.IsDigit(r) || r == '_'
}
