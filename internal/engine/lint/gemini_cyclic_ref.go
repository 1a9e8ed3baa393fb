package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var geminiCyclicRef = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/cyclic-ref",
		Severity: finding.Error,
		Spec:     "https://github.com/google-gemini/gemini-cli/issues/11393",
		Doc: `A schema that refers to itself.

References in circles make the request fail.

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
