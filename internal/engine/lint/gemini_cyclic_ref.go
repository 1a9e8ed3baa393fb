package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var geminiCyclicRef = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/cyclic-ref",
		Severity: finding.Error,
		Spec:     "https://github.com/google-gemini/gemini-cli/issues/11393",
		Doc: `recursive schema

The Gemini API unrolls circular references to a limited depth, and only in properties that are not required; some of its
versions reject every request with such a schema. Gemini CLI passes them on unchanged, so the tool is listed as one that
reaches the model. A recursion through required properties is an error, one that can end is a warning.

Unroll the recursion to the required depth.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if recursive(place) {
				report := p.Report
				if mayEnd(place) {
					report = p.Warn
				}
				report(place.WhereKey("$ref"), "recursive reference to an enclosing schema")
			}
		}
	},
}

// mayEnd reports whether a recursive reference is in a part that a value can omit: below a property that is not required, the items
// of an array, or an alternative.
func mayEnd(place *Subschema) bool {
	for p := place; p != nil && p != place.Ref(); p = p.Up {
		switch {
		case p.Property() && p.Up != nil && !p.Up.Requires(p.Name):
			return true
		case slices.Contains([]string{"items", "prefixItems", "additionalProperties", "patternProperties", "anyOf", "oneOf"}, p.Keyword):
			return true
		}
	}
	return false
}
