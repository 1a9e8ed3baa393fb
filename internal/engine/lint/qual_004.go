package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var qual004 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-004",
		Severity: finding.Warning,
		Doc: `boolean required inside a property

In JSON Schema, required is a list of names next to properties. A boolean inside a property comes from a draft of 2010.
Today it makes the schema invalid or is ignored: the property stays optional.

List the name in the required of the object that holds the property.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if value, ok := place.Get("required"); ok && (schema.Kind(value) == 't' || schema.Kind(value) == 'f') {
				p.Report(place.WhereKey("required"), "required is %s inside %s, expected a list of names in the "+
					"object that holds it", value, place.Label())
			}
		}
	},
}
