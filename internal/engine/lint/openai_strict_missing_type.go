package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictMissingType = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/missing-type",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `schema without a type

In strict mode every schema needs a type, a reference or alternatives. The API rejects the request.

Add a type.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if place.Up != nil && untyped(place) && place.Keyword != "additionalProperties" && place.Keyword != "not" &&
				place.Keyword != "if" {
				p.Report(place.Where(), "%s has no type", place.Label())
			}
		}
	},
}
