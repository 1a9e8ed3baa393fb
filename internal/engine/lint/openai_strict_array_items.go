package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictArrayItems = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/array-items",
		Severity: finding.Error,
		Spec:     "https://github.com/openai/openai-agents-python/issues/449",
		Doc: `array without items

The API rejects the request: "array schema missing items".

Declare the items of the array.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if place.lacksItems() {
				p.Report(place.Where(), "%s is an array without items", place.Label())
			}
		}
	},
}
