package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var geminiTypeArray = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/type-array",
		Severity: finding.Warning,
		Spec:     "https://github.com/google-gemini/gemini-cli/issues/5388",
		Doc: `type is an array

"type": ["string", "null"] is rejected if the schema is sent as parameters. Hosts that rewrite it may lose null or all
but one type.

Use anyOf with one type per branch.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if value, _ := place.Get("type"); schema.Kind(value) == '[' {
				p.Report(place.WhereKey("type"), "type is a list: %s", brief(string(value)))
			}
		}
	},
}
