package schema

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// merge merges the keywords of another subschema, which also applies, into those of the first one.
func merge(into, other []Member) []Member {
	for _, m := range other {
		at := slices.IndexFunc(into, func(have Member) bool {
			return have.Name == m.Name && (m.Name != "contains" || bytes.Equal(have.Value, m.Value))
		})
		if at < 0 { // two different contains stay separate: one item need not match both
			into = append(into, m)
			continue
		}
		into[at].Value = combine(m.Name, into[at].Value, m.Value)
	}
	return into
}

// combine returns what both values of one keyword require together. If that cannot be expressed in one value,
// the first is kept: a form shows it, and a sample is validated in any case.
func combine(keyword string, a, b json.RawMessage) json.RawMessage {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions":
		return combineMaps(a, b)
	case "required":
		return union(a, b)
	case "enum":
		return intersect(a, b)
	case "type":
		return combineTypes(a, b)
	case "items", "additionalProperties", "contains", "propertyNames":
		return both(a, b)
	case "not":
		return either(a, b)
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return tighter(a, b, 1)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return tighter(a, b, -1)
	}
	return a
}

// both returns a schema that requires two schemas.
func both(a, b json.RawMessage) json.RawMessage {
	if bytes.Equal(a, b) || Kind(b) == 't' {
		return a
	}
	if Kind(a) == 'f' || Kind(b) == 'f' {
		return json.RawMessage("false")
	}
	return slices.Concat(json.RawMessage(`{"allOf":[`), a, json.RawMessage(","), b, json.RawMessage("]}"))
}

// either returns a schema that accepts what one of two accepts.
func either(a, b json.RawMessage) json.RawMessage {
	if bytes.Equal(a, b) {
		return a
	}
	return slices.Concat(json.RawMessage(`{"anyOf":[`), a, json.RawMessage(","), b, json.RawMessage("]}"))
}

func combineMaps(a, b json.RawMessage) json.RawMessage {
	first, err := Members(a)
	if err != nil {
		return b
	}
	second, err := Members(b)
	if err != nil {
		return a
	}
	at := make(map[string]int, len(first))
	for i, m := range first {
		at[m.Name] = i
	}
	for _, m := range second {
		if i, have := at[m.Name]; have {
			first[i].Value = both(first[i].Value, m.Value)
			continue
		}
		at[m.Name] = len(first)
		first = append(first, m)
	}
	return object(first)
}

// object encodes fields as a compact object, each unchanged.
func object(members []Member) json.RawMessage {
	raw := json.RawMessage("{")
	for i, m := range members {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, m.Key...), ':'), m.Value...)
	}
	return append(raw, '}')
}

// array encodes elements as a compact array.
func array(elements []json.RawMessage) json.RawMessage {
	raw := json.RawMessage("[")
	for i, element := range elements {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, element...)
	}
	return append(raw, ']')
}

func union(a, b json.RawMessage) json.RawMessage {
	all, _ := Elements(a)
	more, _ := Elements(b)
	for _, element := range more {
		if !containsRaw(all, element) {
			all = append(all, element)
		}
	}
	return array(all)
}

func intersect(a, b json.RawMessage) json.RawMessage {
	first, _ := Elements(a)
	second, _ := Elements(b)
	return array(slices.DeleteFunc(first, func(element json.RawMessage) bool { return !containsRaw(second, element) }))
}

func containsRaw(elements []json.RawMessage, wanted json.RawMessage) bool {
	return slices.ContainsFunc(elements, func(have json.RawMessage) bool { return bytes.Equal(have, wanted) })
}

// combineTypes intersects; an integer is a number.
func combineTypes(a, b json.RawMessage) json.RawMessage {
	first := Node{Members: []Member{{Name: "type", Value: a}}}
	second := Node{Members: []Member{{Name: "type", Value: b}}}
	other := second.Types()
	var shared []json.RawMessage
	for _, name := range first.Types() {
		switch {
		case slices.Contains(other, name), name == "integer" && slices.Contains(other, "number"):
			shared = append(shared, rawjson.Quote(name))
		case name == "number" && slices.Contains(other, "integer"):
			shared = append(shared, rawjson.Quote("integer"))
		}
	}
	if len(shared) == 1 {
		return shared[0]
	}
	return array(shared)
}

// tighter returns the greater number for sign 1 and the lesser for sign -1.
func tighter(a, b json.RawMessage, sign int) json.RawMessage {
	x, okX := rational(a)
	y, okY := rational(b)
	if !okX || okY && y.Cmp(x)*sign > 0 {
		return b
	}
	return a
}

// rational parses a number exactly; it rejects those that are too long to compute with.
func rational(raw json.RawMessage) (*big.Rat, bool) {
	if Kind(raw) != '0' || !modest(raw) {
		return nil, false
	}
	return new(big.Rat).SetString(string(bytes.TrimSpace(raw)))
}
