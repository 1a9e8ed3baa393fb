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
		Doc: `A format that Gemini does not know.

Of strings it knows enum and date-time. Others are refused by older versions of the API and dropped by newer ones.

Say the format in the description.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		reportFormats(p, "enum", "date-time")
	},
}
