package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var sch003 = &Rule{
	Rule: finding.Rule{
		ID:       "SCH-003",
		Severity: finding.Critical,
		Doc: `untyped property

The property declares neither type nor enum, and nothing else constrains it. A model has to guess whether to send a
string, a number or an object, and the server gets whatever it guessed.

Add a type to the property. The rule does not report properties constrained by const, not, a reference or typed branches
of anyOf, oneOf or allOf, nor definitions that no schema refers to, nor tools that only views of MCP Apps call: no model
fills them in. There is no automatic fix: only the author knows the type.`,
	},
	Check: func(p *Pass) {
		if apps.HiddenFromModel(p.Tool.Raw) {
			return
		}
		known := verdicts{}
		for _, place := range p.Subschemas() {
			if place.Property() && !place.Conditional() && place.Referenced() && !constrained(place, known) &&
				!typedBeside(place, known) {
				p.Report(place.Where(), "property %s has no type: any value is accepted", quoted(place.Name))
			}
		}
	},
}

// verdicts caches the result for each place, so that schemas that refer to each other many times are checked once.
type verdicts map[*Subschema]bool

// constrained reports whether a schema constrains its value. A schema that cannot be read or resolved, or is circular,
// counts as constrained: other rules report that.
func constrained(p *Subschema, known verdicts) bool {
	if verdict, ok := known[p]; ok {
		return verdict
	}
	known[p] = true
	known[p] = constrains(p, known)
	return known[p]
}

func constrains(p *Subschema, known verdicts) bool {
	if kind := schema.Kind(p.Raw); kind != '{' {
		return kind != 't'
	}
	for _, keyword := range []string{"type", "enum", "const", "not", "$dynamicRef", "$recursiveRef"} {
		if p.Has(keyword) {
			return true
		}
	}
	if p.Has("$ref") {
		return p.Ref() == nil || constrained(p.Ref(), known)
	}
	says := func(q *Subschema) bool { return constrained(q, known) }
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := p.Under(keyword); len(branches) > 0 && all(branches, says) {
			return true
		}
	}
	return slices.ContainsFunc(p.Under("allOf"), says)
}

// typedBeside reports whether the property is in a branch and the object that the branch belongs to constrains it.
func typedBeside(property *Subschema, known verdicts) bool {
	for at := property.Up; at != nil && at.Up != nil && composes(at.Keyword); at = at.Up {
		for _, q := range at.Up.Declared() {
			if q.Name == property.Name && constrained(q, known) {
				return true
			}
		}
	}
	return false
}

func all(places []*Subschema, holds func(*Subschema) bool) bool {
	return !slices.ContainsFunc(places, func(p *Subschema) bool { return !holds(p) })
}
