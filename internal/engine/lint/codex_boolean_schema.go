package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var codexBooleanSchema = &Rule{
	Rule: finding.Rule{
		ID:       "codex/boolean-schema",
		Severity: finding.Warning,
		Spec:     "https://github.com/openai/codex/blob/main/codex-rs/tools/src/json_schema.rs",
		Doc: `boolean schema is replaced by a string

Codex replaces true and false as a schema with {"type": "string"}: the model sends a string where any value, or no
value, is allowed.

Specify the type.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if place.Up != nil && place.Keyword != "additionalProperties" && (place.Is(true) || place.Is(false)) {
				p.Report(place.Where(), "%s is %s and becomes a string", place.Label(), place.Raw)
			}
		}
	},
}
