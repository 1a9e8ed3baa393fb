package lint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A plan lists what a fix would change in one schema, and what it would not change and why. It is computed from the
// schema as is and changes nothing.
type plan struct {
	mode Mode
	// validated together with another place, so it cannot be closed alone; the reason
	shared  map[*Subschema]string
	closes  map[*Subschema]bool         // gets additionalProperties: false
	require map[*Subschema][]*Subschema // the declared properties that required lacks and gets
	nulls   []*Subschema                // formerly optional properties that will allow null
	unfixed []unfixedLocation

	nullable  verdicts           // which places already accept null
	compelled map[*Subschema]int // which places would contain each other infinitely
}

// An unfixedLocation is a subschema that is not tightened.
type unfixedLocation struct {
	place  *Subschema
	reason string
}

func newPlan(doc *Document, mode Mode) *plan {
	p := &plan{mode: mode, closes: map[*Subschema]bool{}, require: map[*Subschema][]*Subschema{}, nullable: verdicts{}}
	if doc == nil || doc.Root() == nil {
		return p
	}
	if doc.Deep {
		p.skip(doc.Root(), "not fixed: the schema is too deep to fix safely")
		return p
	}
	p.shared = findShared(doc)
	for _, place := range doc.Subschemas {
		if !place.Object() {
			continue
		}
		if reason, ok := p.shared[place]; ok {
			p.skipShared(place, reason)
			continue
		}
		p.planClose(place)
		if mode != Closed {
			p.planRequire(place)
		}
	}
	return p
}

func (p *plan) skip(place *Subschema, format string, args ...any) {
	p.unfixed = append(p.unfixed, unfixedLocation{place, fmt.Sprintf(format, args...)})
}

func (p *plan) skipShared(place *Subschema, reason string) {
	if open(place) || len(missingRequired(place)) > 0 && p.mode != Closed {
		p.skip(place, "not fixed: %s", reason)
	}
}

func (p *plan) planClose(place *Subschema) {
	if !open(place) {
		return
	}
	if reason := whyOpen(place); reason != "" {
		p.skip(place, "not closed: %s", reason)
		return
	}
	p.closes[place] = true
}

// open reports whether undeclared fields are accepted.
func open(place *Subschema) bool {
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		if value, _ := place.Get(keyword); schema.Kind(value) == 'f' {
			return false
		}
	}
	return true
}

// whyOpen returns what closing the place would break; empty if it is safe.
func whyOpen(place *Subschema) string {
	declared := len(place.Declared())
	extra, _ := place.Get("additionalProperties")
	switch undeclared, unknown := outside(place); {
	case schema.Kind(extra) == '{':
		return "its additionalProperties is a schema, so it is a map"
	case declared == 0 && schema.Kind(extra) == 't':
		return "it declares no properties and allows any"
	case declared == 0 && place.Up != nil && !place.Has("patternProperties"):
		return "it declares no properties, so closing it would allow only {}"
	case unknown:
		return "it refers to an external schema"
	case undeclared != "":
		return "a branch or reference mentions " + undeclared + ", which closing it would reject"
	case len(unknownRequired(place)) > 0:
		return "it requires " + quoted(unknownRequired(place)[0]) + ", which it does not declare"
	case number(place, "minProperties") > declared:
		return "its minProperties requires more properties than it declares"
	}
	return ""
}

// outside returns a property that is declared or required next to the place, in a branch or through a reference, but
// not declared by it; unknown reports whether a reference leads out of the document.
func outside(place *Subschema) (undeclared string, unknown bool) {
	for _, q := range append([]*Subschema{place}, place.partners()...) {
		if q.Has("$ref") && q.Ref() == nil || q.Has("$dynamicRef") || q.Has("$recursiveRef") {
			return "", true
		}
		if name := undeclaredBy(place, q); name != "" {
			return name, false
		}
	}
	return "", false
}

func undeclaredBy(place, q *Subschema) string {
	if q == place {
		return ""
	}
	for _, property := range q.Declared() {
		if !place.Declares(property.Name) {
			return "property " + quoted(property.Name)
		}
	}
	for _, name := range q.Strings("required") {
		if !place.Declares(name) {
			return "property " + quoted(name)
		}
	}
	if extra, _ := q.Get("additionalProperties"); q.Has("patternProperties") || schema.Kind(extra) == '{' {
		return "patternProperties"
	}
	return ""
}

// unknownRequired lists the required names that are not properties.
func unknownRequired(place *Subschema) []string {
	return slices.DeleteFunc(place.Strings("required"), place.Declares)
}

// missingRequired lists the declared properties that required lacks. A property that allows no value is ignored.
func missingRequired(place *Subschema) []*Subschema {
	return slices.DeleteFunc(place.Declared(), func(q *Subschema) bool { return place.Requires(q.Name) || never(q) })
}

// never reports whether a schema clearly allows no value.
func never(q *Subschema) bool {
	not := q.Under("not")
	return q.Is(false) || len(not) == 1 && (not[0].Is(true) ||
		schema.Kind(not[0].Raw) == '{' && len(not[0].Members) == 0)
}

// number reads a keyword that is a small whole number; 0 for anything else.
func number(place *Subschema, keyword string) int {
	value, _ := place.Get(keyword)
	n, _ := strconv.Atoi(strings.TrimSpace(string(value)))
	return n
}
