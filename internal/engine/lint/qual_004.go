package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var qual004 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-004",
		Severity: finding.Warning,
		Doc: `required: true inside a property.

In JSON Schema required is a list of names beside properties. true or false inside a property was meant by a draft of
2010, and today makes the schema invalid or is passed over: the property stays optional.

List the name in the required of the object that holds the property.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			if value, ok := place.Get("required"); ok && (schema.Kind(value) == 't' || schema.Kind(value) == 'f') {
				p.Report(place.WhereKey("required"), "required is %s inside %s; want a list of names in the object that holds it", value, place.Label())
			}
		}
	},
}
