package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual003 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-003",
		Severity: finding.Info,
		Doc: `A parameter without a description.

A name and a type do not say which unit, format or spelling is wanted, so a model guesses.

Describe each parameter: what it means, its format, an example.`,
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

// described reports whether a parameter says what it means, in itself or in what it refers to or composes.
func described(place *Place) bool {
	return hasDescription(place) || hasDescription(place.Followed()) || slices.ContainsFunc(place.InPlace(), hasDescription)
}
