package arguments

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// union converts a value to the variant that it matches best.
func (p *parser) union(f *Field, label string, raw json.RawMessage) (Value, bool) {
	at := closest(f, raw, 0)
	if at < 0 {
		return Value{}, false
	}
	inner, ok := p.render(&f.Variants[at], label, raw)
	variants := make([]Value, at+1)
	for i := range variants {
		variants[i].State = Unset
	}
	variants[at] = inner
	return Value{State: Set, Variant: at, Variants: variants}, ok
}

// closest returns the position of the variant with the fewest differences; -1 if the type of none matches.
func closest(f *Field, raw json.RawMessage, depth int) int {
	best, fewest := -1, 0
	for i := range f.Variants {
		count, ok := differences(f.Variants[i].Shape(), raw, depth)
		if ok && (best < 0 || count < fewest) {
			best, fewest = i, count
		}
	}
	return best
}

// Weights of differences: a constant that does not match excludes a variant unless no other is left.
const (
	wrongConstant = 100
	missingName   = 20
	wrongValue    = 10
	unknownName   = 5
	maxCompared   = 20 // items of a list
	maxUnions     = 8  // unions of unions
)

// differences counts what does not match in a value, one level deep; false if its type does not match. It looks at one
// level only, so that its cost does not grow with the number of variants at each level.
func differences(f *Field, raw json.RawMessage, depth int) (int, bool) {
	switch f.Kind {
	case KindObject:
		members, err := schema.Members(raw)
		return objectDifferences(f, members), err == nil
	case KindList, KindRows:
		elements, err := schema.Elements(raw)
		count := 0
		for i := 0; i < min(len(elements), maxCompared); i++ {
			if item := f.Items.Shape(); f.Kind == KindList && !sameType(item, elements[i], depth) {
				count += wrongValue
			}
			if f.Kind == KindRows && schema.Kind(elements[i]) != '{' {
				count += wrongValue
			}
		}
		return count, err == nil
	case KindTuple:
		elements, err := schema.Elements(raw)
		return tupleDifferences(f, elements, depth), err == nil
	case KindUnion:
		return 0, depth < maxUnions && closest(f, raw, depth+1) >= 0
	case KindNull:
		return 0, schema.Kind(raw) == 'n'
	}
	_, ok := renderSingle(f, raw)
	return 0, ok
}

func objectDifferences(f *Field, members []schema.Member) int {
	count := 0
	given := map[string]bool{}
	for _, m := range members {
		given[m.Name] = true
		declared := field(f.Fields, m.Name)
		switch {
		case declared == nil && !f.Open:
			count += unknownName
		case declared == nil:
		case declared.Kind == KindEnum:
			if _, ok := renderSingle(declared, m.Value); !ok {
				count += wrongConstant
			}
		case !sameType(declared.Shape(), m.Value, maxUnions):
			count += wrongValue
		}
	}
	for i := range f.Fields {
		if f.Fields[i].Required && !given[f.Fields[i].Name] {
			count += missingName
		}
	}
	return count
}

// sameType reports whether the type of a value matches a field, without looking into it.
func sameType(f *Field, raw json.RawMessage, depth int) bool {
	kind := schema.Kind(raw)
	switch {
	case kind == 'n' && f.Nullable:
		return true
	case f.Kind == KindObject:
		return kind == '{'
	case f.isList():
		return kind == '['
	case f.Kind == KindUnion && depth >= maxUnions:
		return true
	}
	_, ok := differences(f, raw, depth)
	return ok
}
