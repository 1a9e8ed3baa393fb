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
		Doc: `tool name too long; tool is dropped

The names of the server and the tool may have 60 characters in total. Tools with longer names are dropped silently. The
finding counts the tool name, plus the server name if it is known.

Shorten the name.`,
	},
	Breaks: hosts.LosesTool,
	Check: func(p *Pass) {
		if n := utf8.RuneCountInString(p.Tool.Server + p.Tool.Name); n > profileOf(p).ToolName.Max {
			p.Report("/name", "the name has %d characters, expected at most %d including the server name", n,
				profileOf(p).ToolName.Max)
		}
	},
}
