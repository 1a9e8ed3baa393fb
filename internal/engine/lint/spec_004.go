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
		Doc: `invalid character in tool name

Names should consist of ASCII letters, digits, underscore, hyphen and dot. Hosts reject the tool, or replace other
characters, so that the model calls a name that is unknown to the server.

Rename the tool; a title may contain any text. The rule applies from revision 2025-11-25 on.`,
	},
	Check: func(p *Pass) {
		if bad := strings.Trim(p.Tool.Name, nameCharacters); p.Revision.Tool.NameRules && bad != "" {
			r, _ := utf8.DecodeRuneInString(bad)
			p.Report("/name", "name %s contains the character %s, expected only A-Z a-z 0-9 _ - .", quoted(p.Tool.Name),
				quoted(string(r)))
		}
	},
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
