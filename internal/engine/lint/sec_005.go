package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec005 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-005",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `escaped terminal sequence

The text contains an ANSI escape sequence in an escaped form that some programs expand, such as \x1b[ or \u001b[. Logs
and terminals that expand it hide or fake the displayed text.

Remove it. A tool about escape sequences can name them without the bracket.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if i := strings.IndexByte(text.Value, '\\'); i < 0 {
				continue
			}
			lower := strings.ToLower(text.Value)
			for _, form := range []string{`\x1b[`, `\u001b[`, `\033[`, `\e[`} {
				if i := strings.Index(lower, form); i >= 0 {
					p.Report(text.Pointer, "escaped terminal sequence: %s", quoted(brief(text.Value[i:])))
					break
				}
			}
		}
	},
}
