package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var codexDroppedConstraint = &Rule{
	Rule: finding.Rule{
		ID:       "codex/dropped-constraint",
		Severity: finding.Warning,
		Spec:     "https://github.com/openai/codex/blob/main/codex-rs/tools/src/json_schema.rs",
		Doc: `keyword is dropped

Codex keeps types, descriptions, enums, items, properties, required, references and alternatives. It drops limits,
patterns, formats and conditions, so the model does not see them.

Also describe the constraint in the description.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			for _, m := range place.Members {
				if limiting(m.Name) && !hosts.CodexKeeps(m.Name) {
					p.Report(place.WhereKey(m.Name), "%s is dropped", m.Name)
				}
			}
		}
	},
}

// limiting reports whether a keyword limits values, as opposed to describing them.
func limiting(keyword string) bool {
	switch keyword {
	case "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"multipleOf", "minItems", "maxItems", "uniqueItems", "contains", "prefixItems", "patternProperties",
		"propertyNames",
		"minProperties", "maxProperties", "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
		"dependencies",
		"unevaluatedProperties", "unevaluatedItems":
		return true
	}
	return false
}
