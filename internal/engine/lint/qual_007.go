package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var qual007 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-007",
		Severity: finding.Warning,
		Doc: `A default that its own schema refuses.

A model or a form that sends the default gets an error. Often the default is a string where a number is meant, or null
where null is not allowed.

Make the default a value of the schema, or leave it out.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			value, ok := place.Get("default")
			if !ok || plainlyValid(place, value) {
				continue
			}
			if message := refuses(place, value); message != "" {
				p.Report(place.WhereKey("default"), "the default %s is refused by its own schema: %s", brief(string(value)), message)
			}
		}
	},
}
