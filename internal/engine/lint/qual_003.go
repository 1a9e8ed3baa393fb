package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual003 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-003",
		Severity: finding.Info,
		Doc: `undocumented parameter

A name and a type do not specify the unit, format or spelling, so a model has to guess.

Describe each parameter: its meaning, its format, an example.`,
	},
	Check: func(p *Pass) {
		if p.Tool.Input == nil || p.Tool.Input.Root() == nil {
			return
		}
		for _, place := range p.Tool.Input.Root().Declared() {
			if !described(place) {
				p.Report(place.Where(), "parameter %s has no description", quoted(place.Name))
			}
		}
	},
}

// described reports whether a parameter has a description, its own or in a schema that it refers to or composes.
func described(place *Subschema) bool {
	return hasDescription(place) || hasDescription(place.Followed()) ||
		slices.ContainsFunc(place.InPlace(), hasDescription)
}
