package lint

import (
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var cursorNameLength = &Rule{
	Rule: finding.Rule{
		ID:       "cursor/name-length",
		Severity: finding.Error,
		Spec:     "https://github.com/ComposioHQ/composio/issues/2788",
		Doc: `A name that Cursor leaves out.

The names of server and tool together may have 60 characters; a tool beyond that is left out without a word. The finding
counts the tool's name, and the server's where it is known.

Shorten the name.`,
	},
	Breaks: hosts.LosesTool,
	Check: func(p *Pass) {
		if n := utf8.RuneCountInString(p.Tool.Server + p.Tool.Name); n > profileOf(p).ToolName.Max {
			p.Report("/name", "the name has %d characters; want at most %d together with the server's", n, profileOf(p).ToolName.Max)
		}
	},
}
