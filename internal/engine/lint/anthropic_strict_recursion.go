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
		Doc: `recursive schema

Strict tools cannot have recursive references, because the grammar would be infinite. The API rejects the request.

Unroll the recursion to the required depth.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if recursive(place) {
				p.Report(place.WhereKey("$ref"), "recursive reference to an enclosing schema")
			}
		}
	},
}
