package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictMissingProperties = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/missing-properties",
		Severity: finding.Error,
		Spec:     "https://github.com/kagent-dev/kagent/issues/1888",
		Doc: `An object without properties.

In strict mode an object must declare its properties, if only as {}. The request is refused.

Add "properties": {}, or declare what it holds.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			if place.Object() && !place.Has("properties") {
				p.Report(place.Where(), "%s has no properties", place.Label())
			}
		}
	},
}
