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
		Doc: `object without properties

In strict mode an object must declare its properties, even if only as {}. The API rejects the request.

Add "properties": {}, or declare the properties.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if place.Object() && !place.Has("properties") {
				p.Report(place.Where(), "%s has no properties", place.Label())
			}
		}
	},
}
