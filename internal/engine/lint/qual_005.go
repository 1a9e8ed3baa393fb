package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual005 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-005",
		Severity: finding.Warning,
		Doc: `required property is not declared

The object requires a property that it does not describe. A model does not know what to send, and if the object is
closed, no value is valid.

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
				if !known[name] {
					p.Report(place.WhereKey("required"), "%s requires %s, which is not a declared property",
						place.Label(), quoted(name))
				}
			}
		}
	},
}
