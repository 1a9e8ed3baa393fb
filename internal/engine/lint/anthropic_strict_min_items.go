package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicStrictMinItems = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/min-items",
		Severity: finding.Error,
		Spec:     "https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
		Doc: `minItems above 1

Strict tools support minItems of 0 and 1 only.

Describe the minimum in the description.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if number(place, "minItems") > 1 {
				p.Report(place.WhereKey("minItems"), "minItems is %d, expected 0 or 1", number(place, "minItems"))
			}
		}
	},
}
