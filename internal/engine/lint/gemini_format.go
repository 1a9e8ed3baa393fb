package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var geminiFormat = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/format",
		Severity: finding.Warning,
		Spec:     "https://github.com/google-gemini/gemini-cli/issues/2141",
		Doc: `unsupported format

For strings, Gemini supports enum and date-time. Older versions of the API reject other formats, newer ones drop them.

Describe the format in the description.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		reportFormats(p, "enum", "date-time")
	},
}
