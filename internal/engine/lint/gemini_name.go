package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var geminiName = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/name",
		Severity: finding.Info,
		Spec:     "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/mcp-tool.ts",
		Doc: `tool name is rewritten

Characters other than letters, digits and _ - . : become underscores, and a name of more than 63 characters, including
its prefix, loses its middle part.

Choose a name that needs no rewriting.`,
	},
	Breaks: hosts.Cosmetic,
	Check: func(p *Pass) {
		if got := hosts.GeminiName(p.Tool.Name); p.Tool.Name != "" &&
			strings.TrimPrefix(got, "mcp_") != strings.TrimPrefix(p.Tool.Name, "mcp_") {
			p.Report("/name", "the name %s becomes %s", quoted(p.Tool.Name), quoted(got))
		}
	},
}
