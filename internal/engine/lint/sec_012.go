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
		Doc: `Text pushed out of sight.

More than twenty blank lines, or two hundred spaces in a row, push what follows out of the window in which a person
reviews the tool. A model reads on. It is a heuristic.

Remove the gap.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if len(text.Value) > 60 && pushedAway(text.Value) {
				p.Report(text.Pointer, "the text has a gap that pushes what follows out of sight")
			}
		}
	},
}

// pushedAway reports whether text follows a gap of many blank lines or spaces.
func pushedAway(s string) bool {
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
