package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var sch003 = &Rule{
	Rule: finding.Rule{
		ID:       "SCH-003",
		Severity: finding.Critical,
		Doc: `A property accepts any value.

It declares neither type nor enum, and nothing else says what it may be. A model has to guess whether to send a string,
a number or an object, and the server gets whatever it guessed.

Give the property a type. The rule is quiet where const, not, a reference or typed branches of anyOf, oneOf or allOf
constrain the value. No fix is offered: only the author knows the type.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			if place.Property() && !place.Conditional() && !constrained(place, 0) && !typedBeside(place) {
				p.Report(place.Where(), "property %s has no type: any value is accepted", quoted(place.Name))
			}
		}
	},
}

// constrained reports whether a schema says what its value may be. What cannot be read or followed counts as
// constrained: other rules report that.
func constrained(p *Place, depth int) bool {
	if kind := schema.Kind(p.Raw); kind != '{' || depth > schema.MaxDepth {
		return kind != 't'
	}
	for _, keyword := range []string{"type", "enum", "const", "not", "$dynamicRef", "$recursiveRef"} {
		if p.Has(keyword) {
			return true
		}
	}
	if p.Has("$ref") {
		target := p.Ref()
		return target == nil || constrained(target, depth+1)
	}
	says := func(q *Place) bool { return constrained(q, depth+1) }
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := p.Under(keyword); len(branches) > 0 && all(branches, says) {
			return true
		}
	}
	return slices.ContainsFunc(p.Under("allOf"), says)
}

// typedBeside reports whether the property stands in a branch and the object that the branch belongs to constrains it.
func typedBeside(property *Place) bool {
	for at := property.Up; at != nil && at.Up != nil && composes(at.Keyword); at = at.Up {
		for _, q := range at.Up.Declared() {
			if q.Name == property.Name && constrained(q, 0) {
				return true
			}
		}
	}
	return false
}

func all(places []*Place, holds func(*Place) bool) bool {
	return !slices.ContainsFunc(places, func(p *Place) bool { return !holds(p) })
}
