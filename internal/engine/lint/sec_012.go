package lint

import (
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec012 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-012",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `text hidden after a long gap

More than 20 blank lines, or 200 spaces in a row, push the following text out of the window in which a user reviews the
tool. A model still reads it. The rule is a heuristic.

Remove the gap.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if len(text.Value) > 60 && hasHiddenTail(text.Value) {
				p.Report(text.Pointer, "the text has a gap that pushes the following text out of view")
			}
		}
	},
}

// hasHiddenTail reports whether text follows a gap of many blank lines or spaces.
func hasHiddenTail(s string) bool {
	lines, spaces := 0, 0
	for _, r := range strings.TrimSpace(s) {
		switch {
		case r == '\n':
			lines, spaces = lines+1, 0
		case unicode.IsSpace(r):
			spaces++
		case lines > 20 || spaces > 200:
			return true
		default:
			lines, spaces = 0, 0
		}
	}
	return false
}
