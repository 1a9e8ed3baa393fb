package lint

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var qual007 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-007",
		Severity: finding.Warning,
		Doc: `default or example does not match its schema

A model or a form that sends the default, or a value like the example, gets an error. Often it is a string instead of a
number, or null where null is not allowed.

Use a value that the schema allows, or remove it.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if value, ok := place.Get("default"); ok {
				p.checkOwnValue(place, "default", value)
			}
			examples, _ := place.Get("examples")
			values, _ := schema.Elements(examples)
			for _, value := range values {
				p.checkOwnValue(place, "example", value)
			}
		}
	},
}

// checkOwnValue reports a default or an example that the schema it belongs to rejects.
func (p *Pass) checkOwnValue(place *Subschema, what string, value json.RawMessage) {
	if plainlyValid(place, value) {
		return
	}
	if message := refuses(place, value); message != "" {
		key := map[string]string{"default": "default", "example": "examples"}[what]
		p.Report(place.WhereKey(key), "%s %s does not match its own schema: %s", what, brief(string(value)), message)
	}
}
