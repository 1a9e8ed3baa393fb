package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual007 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-007",
		Severity: finding.Warning,
		Doc: `default does not match its schema

A model or a form that sends the default gets an error. Often the default is a string instead of a number, or null where
null is not allowed.

Use a default that the schema allows, or remove it.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			value, ok := place.Get("default")
			if !ok || plainlyValid(place, value) {
				continue
			}
			if message := refuses(place, value); message != "" {
				p.Report(place.WhereKey("default"), "default %s does not match its own schema: %s",
					brief(string(value)), message)
			}
		}
	},
}
