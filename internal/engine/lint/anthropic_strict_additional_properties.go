package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var anthropicStrictAdditionalProperties = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/additional-properties",
		Severity: finding.Error,
		Spec:     "https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
		Doc: `additionalProperties is not false

Strict tools need "additionalProperties": false in every object. The API rejects the request.

Close every object. "schema-lint --fix" does this.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			value, _ := place.Get("additionalProperties")
			if place.Object() && schema.Kind(value) != 'f' {
				p.Report(place.Where(), "%s must have additionalProperties: false", place.Label())
			}
		}
	},
}
