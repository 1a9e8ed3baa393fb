package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual005 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-005",
		Severity: finding.Warning,
		Doc: `required property is not declared

The object requires a property that it does not describe. A model does not know what to send. The finding is an error if
the object does not allow other properties: then no value is valid, and every call is rejected.

Declare the property, or remove the name from required.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if len(place.Declared()) == 0 || place.Conditional() || place.Has("patternProperties") ||
				composes(place.Keyword) {
				continue
			}
			unknown := unknownRequired(place)
			if len(unknown) == 0 {
				continue
			}
			known := declaredBeside(place)
			for _, name := range unknown {
				if known[name] {
					continue
				}
				switch {
				case !isClosed(place) || inside(place, "anyOf", "oneOf", "then", "else"):
					p.Report(place.WhereKey("required"), "%s requires %s, which is not a declared property",
						place.Label(), quoted(name))
				case place.Where() == "/inputSchema":
					p.reportAs(finding.Error, place.WhereKey("required"), "no call can be valid: %s requires %s, which is "+
						"not a declared property, and allows no other properties", place.Label(), quoted(name))
				default:
					p.reportAs(finding.Error, place.WhereKey("required"), "no value can be valid: %s requires %s, which is "+
						"not a declared property, and allows no other properties", place.Label(), quoted(name))
				}
			}
		}
	},
}

// isClosed reports whether an object allows only the properties that it declares.
func isClosed(place *Subschema) bool {
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		if value, _ := place.Get(keyword); string(value) == "false" {
			return true
		}
	}
	return false
}
