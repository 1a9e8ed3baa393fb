package subschema

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// values lists values of an atom, those first that the atoms nearby probably reject. They are candidates: a validator
// decides.
func (c *checker) values(a *atom, near []*atom) []any {
	if a.finite != nil {
		return a.finite[:min(len(a.finite), 8)]
	}
	switch a.kind {
	case kindNumber:
		return c.unlike(numbers(a, near), near)
	case kindString:
		return c.unlike(c.strings(a, near), near)
	case kindArray:
		return c.arrays(a, near)
	}
	return c.objects(a, near)
}

// unlike moves the scalars that no atom nearby accepts to the front.
func (c *checker) unlike(values []any, near []*atom) []any {
	accepted := func(value any) bool {
		return slices.ContainsFunc(near, func(b *atom) bool {
			if b.finite != nil {
				return slices.ContainsFunc(b.finite, func(v any) bool { return valueKey(v) == valueKey(value) })
			}
			return !c.violates(value, b.nodes)
		})
	}
	var first, last []any
	for _, value := range values {
		if accepted(value) {
			last = append(last, value)
		} else {
			first = append(first, value)
		}
	}
	return append(first, last...)
}

// plainStrings are values that users send, and edge cases.
var plainStrings = []string{"x", "", "text", "A1", "1", "a b", "é", "-1", "true", "2024-01-01", "a@example.com",
	"https://example.com/a", "/a/b", " ", "a\nb", "!"}

// maxStringSample limits the length of generated strings.
const maxStringSample = 20_000

func (c *checker) strings(a *atom, near []*atom) []any {
	var tries []string
	for _, pattern := range a.patterns {
		tries = append(tries, c.patternSamples(pattern, a.minLen, a.maxLen, 30)...)
	}
	lengths := []int{1, a.minLen, a.maxLen}
	for _, b := range near {
		lengths = append(lengths, b.minLen-1, b.minLen, b.maxLen, b.maxLen+1)
	}
	tries = append(tries, plainStrings...)
	for _, length := range lengths {
		if length > 1 && length <= maxStringSample {
			tries = append(tries, strings.Repeat("x", length))
		}
	}
	for _, b := range near {
		for _, pattern := range b.patterns {
			for _, sample := range c.patternSamples(pattern, 0, -1, 2) {
				tries = append(tries, sample, sample+"x", sample+" ", "x"+sample)
			}
		}
	}
	var found []any
	seen := map[string]bool{}
	for _, text := range tries {
		length := utf8.RuneCountInString(text)
		if seen[text] || length < a.minLen || a.maxLen >= 0 && length > a.maxLen {
			continue
		}
		if seen[text] = true; !slices.ContainsFunc(a.patterns,
			func(p string) bool { return c.matches(p, text) == no }) {
			found = append(found, text)
		}
	}
	return found
}

func (c *checker) arrays(a *atom, near []*atom) []any {
	lengths := []int{a.minItems, 0, 1, 2}
	for _, b := range near {
		lengths = append(lengths, b.minItems-1, b.maxItems+1)
	}
	most := c.maxItems(a)
	var found []any
	seen := map[int]bool{}
	for _, length := range lengths {
		if seen[length] || length < a.minItems || length > 2_000 || most >= 0 && length > most {
			continue
		}
		seen[length] = true
		if value, ok := c.arrayOf(a, length); ok {
			found = append(found, value)
		}
	}
	return found
}

// arrayOf makes an array of simple elements.
func (c *checker) arrayOf(a *atom, length int) (any, bool) {
	array := make([]any, 0, min(length, 64))
	for i := range length {
		value, ok := c.simplest(a.item(i))
		if ok && a.unique {
			value, ok = c.distinct(a.item(i), array)
		}
		if !ok {
			return nil, false
		}
		array = append(array, value)
	}
	return array, true
}

// distinct is a simple value that the array does not have yet.
func (c *checker) distinct(of conj, array []any) (any, bool) {
	for _, a := range c.atoms(of) {
		for _, value := range c.values(a, nil) {
			if !slices.ContainsFunc(array, func(v any) bool { return valueKey(v) == valueKey(value) }) {
				return value, true
			}
		}
	}
	return nil, false
}

// arrayWith makes the shortest array with a given element.
func (c *checker) arrayWith(a *atom, index int, value any) (any, bool) {
	whole, ok := c.arrayOf(a, max(a.minItems, index+1))
	if !ok {
		return nil, false
	}
	array := whole.([]any)
	array[index] = value
	return array, true
}

func (c *checker) objects(a *atom, near []*atom) []any {
	var found []any
	base, ok := c.object(a, "")
	if !ok {
		return nil
	}
	found = append(found, base)
	full := maps.Clone(base)
	for _, name := range a.names() {
		if _, set := full[name]; set || a.maxProps >= 0 && len(full) >= a.maxProps {
			continue
		}
		if value, ok := c.simplest(a.property(name, c)); ok {
			single := maps.Clone(base)
			single[name] = value
			full[name] = value
			if len(found) < 12 {
				found = append(found, single)
			}
		}
	}
	found = append(found, full)
	if !c.closed(a, false) {
		if value, ok := c.simplest(a.undeclared()); ok {
			odd := maps.Clone(base)
			odd["Undeclared Key 1"] = value
			found = append(found, odd)
		}
	}
	for _, b := range near {
		if b.maxProps >= 0 && b.maxProps < 200 && !c.empty(a.undeclared()) {
			many := maps.Clone(base)
			for i := 0; len(many) <= b.maxProps; i++ {
				if value, ok := c.simplest(a.undeclared()); ok {
					many["key"+strings.Repeat("x", i)] = value
				} else {
					break
				}
			}
			found = append(found, many)
		}
	}
	return found
}

// object makes the smallest object, without a property of the given name.
func (c *checker) object(a *atom, without string) (map[string]any, bool) {
	object := map[string]any{}
	for name := range a.required {
		if name == without {
			continue
		}
		value, ok := c.simplest(a.property(name, c))
		if !ok {
			return nil, false
		}
		object[name] = value
	}
	for _, name := range a.names() {
		if _, set := object[name]; set || name == without || len(object) >= a.minProps {
			continue
		}
		if value, ok := c.simplest(a.property(name, c)); ok {
			object[name] = value
		}
	}
	for i := 1; len(object) < a.minProps && i < 100; i++ {
		value, ok := c.simplest(a.undeclared())
		if !ok || c.empty(a.undeclared()) {
			return nil, false
		}
		object["key"+strings.Repeat("x", i)] = value
	}
	return object, true
}

// objectWith makes the smallest object with a given property.
func (c *checker) objectWith(a *atom, name string, value any) (any, bool) {
	object, ok := c.object(a, name)
	if !ok {
		return nil, false
	}
	object[name] = value
	return object, true
}

// objectsWithout lists objects that lack a property.
func (c *checker) objectsWithout(a *atom, name string) []any {
	object, ok := c.object(a, name)
	if !ok {
		return nil
	}
	return []any{object}
}

// simplest is a small value of a conjunction, a scalar if possible.
func (c *checker) simplest(of conj) (any, bool) {
	if len(of) == 0 {
		return "x", true
	}
	if c.nesting > 12 || !c.step() {
		return nil, false
	}
	c.nesting++
	defer func() { c.nesting-- }()
	atoms := c.atoms(of)
	for _, kind := range []kinds{kindString, kindNumber, kindBool, kindArray, kindObject, kindNull} {
		for _, a := range atoms {
			if a.kind != kind {
				continue
			}
			if values := c.simple(a); len(values) > 0 {
				return values[0], true
			}
		}
	}
	return nil, false
}

func (c *checker) simple(a *atom) []any {
	switch {
	case a.finite != nil:
		return a.finite
	case a.kind == kindArray:
		if value, ok := c.arrayOf(a, a.minItems); ok && a.minItems < 2_000 {
			return []any{value}
		}
		return nil
	case a.kind == kindObject:
		if value, ok := c.object(a, ""); ok {
			return []any{value}
		}
		return nil
	}
	return c.values(a, nil)
}
