package lint

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// planRequire makes every declared property required, where that leaves the schema satisfiable.
func (p *plan) planRequire(place *Place) {
	missing := missingRequired(place)
	if len(missing) == 0 {
		return
	}
	if reason := whyOptional(place); reason != "" {
		p.leave(place, "left optional: %s", reason)
		return
	}
	for _, q := range missing {
		switch {
		case endless(place, q):
			p.leave(place, "left optional: property %s would hold itself without end", quoted(q.Name))
		case p.mode == Nullable && !acceptsNull(q, 0) && referredTo(q):
			p.leave(place, "left optional: property %s is referred to from elsewhere, which must not come to allow null", quoted(q.Name))
		default:
			p.addRequired(place, q)
		}
	}
}

func (p *plan) addRequired(place, q *Place) {
	p.require[place] = append(p.require[place], q)
	if p.mode == Nullable && !acceptsNull(q, 0) {
		p.nulls = append(p.nulls, q)
	}
}

// whyOptional says why requiring every property of the place would break it; empty where it would not.
func whyOptional(place *Place) string {
	if value, ok := place.Get("required"); ok && schema.Kind(value) != '[' {
		return "its required is " + kindName(value) + " and not a list"
	}
	if place.Has("maxProperties") && number(place, "maxProperties") < len(place.Declared()) {
		return "its maxProperties allows fewer properties than it declares"
	}
	if keyword := decides(place, map[*Place]bool{}); keyword != "" {
		return keyword + " decides which properties stand together"
	}
	return ""
}

// decides finds a keyword that may forbid properties to stand together, here or in what judges the same value.
func decides(place *Place, seen map[*Place]bool) string {
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

// endless reports whether a value of property q must hold another value of place, and so on without end, once every
// property is required.
func endless(place, q *Place) bool {
	seen := map[*Place]bool{}
	var reaches func(*Place) bool
	reaches = func(at *Place) bool {
		if at == place {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(compelled(at), reaches)
	}
	return reaches(q)
}

// compelled lists the places that must have a value wherever at has one.
func compelled(at *Place) []*Place {
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
		return nil // it may be something else than an object
	}
	return next
}

// referredTo reports whether a $ref leads to q or to something inside it.
func referredTo(q *Place) bool {
	return slices.ContainsFunc(q.Doc.Places, func(holder *Place) bool {
		target := holder.Ref()
		return target != nil && (target == q || strings.HasPrefix(target.Pointer, q.Pointer+"/"))
	})
}

// acceptsNull reports whether null is already a value of the place.
func acceptsNull(q *Place, depth int) bool {
	if depth > schema.MaxDepth {
		return false
	}
	if q.Is(true) {
		return true
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
	if q.Has("not") || q.Has("if") || q.Has("$ref") && q.Ref() == nil || !q.Object() && q.Is(false) {
		return false
	}
	accepts := func(branch *Place) bool { return acceptsNull(branch, depth+1) }
	rejects := func(branch *Place) bool { return !acceptsNull(branch, depth+1) }
	if target := q.Ref(); target != nil && !accepts(target) || slices.ContainsFunc(q.Under("allOf"), rejects) {
		return false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := q.Under(keyword); len(branches) > 0 && !slices.ContainsFunc(branches, accepts) {
			return false
		}
	}
	return true
}

func holdsNull(list json.RawMessage) bool {
	elements, _ := schema.Elements(list)
	return slices.ContainsFunc(elements, func(e json.RawMessage) bool { return schema.Kind(e) == 'n' })
}
