package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicStrictRecursion = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/recursion",
		Severity: finding.Error,
		Spec:     "https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
		Doc: `A schema that refers to itself.

Strict tools cannot have recursive references: the grammar would have no end. The request is refused.

Unfold the recursion to the depth that is needed.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			if recursive(place) {
				p.Report(place.WhereKey("$ref"), "the reference leads back to what holds it")
			}
		}
	},
}
