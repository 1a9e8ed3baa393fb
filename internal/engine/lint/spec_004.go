package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec004 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-004",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-names"),
		Doc: `A tool name with characters that names should not have.

Names should be made of ASCII letters, digits, underscore, hyphen and dot. Hosts replace other characters, so that the
model calls a name that the server does not know, or refuse the tool.

Rename the tool; a title may say anything. The rule applies from revision 2025-11-25 on.`,
	},
	Check: func(p *Pass) {
		if bad := strings.Trim(p.Tool.Name, nameCharacters); p.Revision.Tool.NameRules && bad != "" {
			r, _ := utf8.DecodeRuneInString(bad)
			p.Report("/name", "the name %s has the character %s; want only A-Z a-z 0-9 _ - .", quoted(p.Tool.Name), quoted(string(r)))
		}
	},
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
