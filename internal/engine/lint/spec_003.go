package lint

import (
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec003 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-names"),
		Doc: `tool name longer than 128 characters

Names should have 1 to 128 characters. Hosts prefix the server name, and many truncate or reject names longer than 64.

Shorten the name. The rule applies from revision 2025-11-25 on, which introduced the limit.`,
	},
	Check: func(p *Pass) {
		if n := utf8.RuneCountInString(p.Tool.Name); p.Revision.Tool.NameRules && n > 128 {
			p.Report("/name", "the name has %d characters, expected at most 128", n)
		}
	},
}
