package lint

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// planRequire makes every declared property required, if the schema stays satisfiable.
func (p *plan) planRequire(place *Subschema) {
	missing := missingRequired(place)
	if len(missing) == 0 {
		return
	}
	if reason := whyOptional(place); reason != "" {
		p.skip(place, "not made required: %s", reason)
		return
	}
	for _, q := range missing {
		switch {
		case p.endless(place, q):
			p.skip(place, "left optional: property %s would contain itself infinitely", quoted(q.Name))
		case p.mode == Nullable && !p.acceptsNull(q) && referredTo(q):
			p.skip(place, "left optional: property %s is referenced elsewhere, where null must not be allowed",
				quoted(q.Name))
		default:
			p.addRequired(place, q)
		}
	}
}

func (p *plan) addRequired(place, q *Subschema) {
	p.require[place] = append(p.require[place], q)
	if p.mode == Nullable && !p.acceptsNull(q) {
		p.nulls = append(p.nulls, q)
	}
}

// whyOptional returns why requiring every property of the place would break it; empty if it would not.
func whyOptional(place *Subschema) string {
	if value, ok := place.Get("required"); ok && schema.Kind(value) != '[' {
		return "its required is " + kindName(value) + " and not a list"
	}
	if place.Has("maxProperties") && number(place, "maxProperties") < len(place.Declared()) {
		return "its maxProperties allows fewer properties than it declares"
	}
	if keyword := decides(place, map[*Subschema]bool{}); keyword != "" {
		return keyword + " determines which properties may appear together"
	}
	return ""
}

// decides finds a keyword that may forbid that properties appear together, here or in a place that validates the same
// value.
func decides(place *Subschema, seen map[*Subschema]bool) string {
	if seen[place] {
		return ""
	}
	seen[place] = true
	for _, keyword := range []string{"oneOf", "not", "if", "dependentSchemas", "dependencies"} {
		if place.Has(keyword) {
			return keyword
		}
	}
	for _, next := range place.InPlace() {
		if keyword := decides(next, seen); keyword != "" {
			return keyword
		}
	}
	return ""
}

// endless reports whether a value of property q must contain another value of place, and so on infinitely, once every
// property is required.
func (p *plan) endless(place, q *Subschema) bool {
	if p.compelled == nil {
		p.compelled = cycles(place.Doc, compelled)
	}
	return p.compelled[place] == p.compelled[q]
}

// compelled lists the places that must have a value if at has one.
func compelled(at *Subschema) []*Subschema {
	next := append(at.Under("allOf"), at.Declared()...)
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := at.Under(keyword); len(branches) == 1 {
			next = append(next, branches[0])
		}
	}
	if target := at.Ref(); target != nil {
		next = append(next, target)
	}
	if types := at.Types(); len(types) > 1 {
		return nil // its type may be something other than object
	}
	return next
}

// referredTo reports whether a $ref leads to q or to something inside it.
func referredTo(q *Subschema) bool {
	return slices.ContainsFunc(q.Doc.Subschemas, func(holder *Subschema) bool {
		target := holder.Ref()
		return target != nil && (target == q || strings.HasPrefix(target.Pointer, q.Pointer+"/"))
	})
}

// acceptsNull reports whether null is already a value of the place. In a circular reference it is not.
func (p *plan) acceptsNull(q *Subschema) bool {
	if verdict, ok := p.nullable[q]; ok {
		return verdict
	}
	p.nullable[q] = false
	p.nullable[q] = allowsNull(q) && p.branchesAcceptNull(q)
	return p.nullable[q]
}

// allowsNull checks only the keywords of the place itself.
func allowsNull(q *Subschema) bool {
	if kind := schema.Kind(q.Raw); kind != '{' {
		return kind == 't'
	}
	if types := q.Types(); len(types) > 0 && !slices.Contains(types, "null") {
		return false
	}
	if value, ok := q.Get("const"); ok && schema.Kind(value) != 'n' {
		return false
	}
	if value, ok := q.Get("enum"); ok && !holdsNull(value) {
		return false
	}
	return !q.Has("not") && !q.Has("if") && (!q.Has("$ref") || q.Ref() != nil)
}

func (p *plan) branchesAcceptNull(q *Subschema) bool {
	if target := q.Ref(); target != nil && !p.acceptsNull(target) || !all(q.Under("allOf"), p.acceptsNull) {
		return false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := q.Under(keyword); len(branches) > 0 && !slices.ContainsFunc(branches, p.acceptsNull) {
			return false
		}
	}
	return true
}

func holdsNull(list json.RawMessage) bool {
	elements, _ := schema.Elements(list)
	return slices.ContainsFunc(elements, func(e json.RawMessage) bool { return schema.Kind(e) == 'n' })
}
