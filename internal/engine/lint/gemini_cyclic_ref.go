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
		Doc: `recursive schema

The Gemini API rejects requests whose schemas contain circular references. Gemini CLI passes them on unchanged, so the tool
is listed as one that reaches the model, but every request with it fails.

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
