package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictOneOf = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/one-of",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `oneOf is not supported

Strict mode supports anyOf but not oneOf. The API rejects the request, unless an SDK rewrites it first.

Use anyOf.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if place.Up != nil && place.Has("oneOf") {
				p.Report(place.WhereKey("oneOf"), "oneOf is not supported, expected anyOf")
			}
		}
	},
}
