package subschema

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A trial validates candidates with both schemas.
type trial struct {
	*checker
	inner, outer *schema.Schema
	valid        int // values that both accepted
}

// proves reports whether the first schema accepts the value and the second one rejects it.
func (t *trial) proves(value any) bool {
	raw, ok := encode(value)
	if !ok || len(t.inner.Validate(raw)) > 0 {
		return false
	}
	violations := t.outer.Validate(raw)
	if len(violations) == 0 {
		t.valid++
		return false
	}
	return slices.ContainsFunc(violations, func(v schema.Violation) bool { return v.Rule != schema.RuleLimit })
}

// plain looks for a counterexample among the values that the sampler makes of the first schema alone.
func (t *trial) plain() (any, bool) {
	for seed := range uint64(12) {
		for _, o := range []schema.SampleOptions{{Seed: seed, Style: schema.Smallest},
			{Seed: seed, AllProperties: true}, {Seed: seed}} {
			if t.expired() {
				return nil, false
			}
			sample, err := t.inner.Sample(&o)
			if err != nil {
				continue
			}
			decoder := json.NewDecoder(bytes.NewReader(sample))
			decoder.UseNumber()
			var value any
			if decoder.Decode(&value) == nil && t.proves(value) {
				return value, true
			}
		}
	}
	return nil, false
}

func (t *trial) result(value any) Result {
	value = t.shrink(value)
	raw, _ := encode(value)
	return Result{Verdict: Escapes, Counterexample: raw, Violation: t.outer.Validate(raw)[0].Message}
}

// maxShrinks limits the validations of one reduction.
const maxShrinks = 150

// shrink removes what a counterexample does not need.
func (t *trial) shrink(value any) any {
	for tries, changed := 0, true; changed && tries < maxShrinks; {
		changed = false
		for _, smaller := range smallerThan(value) {
			if tries++; tries > maxShrinks || t.expired() {
				return value
			}
			if t.proves(smaller) {
				value, changed = smaller, true
				break
			}
		}
	}
	return value
}

// smallerThan lists values with one part less, or one part shorter.
func smallerThan(value any) []any {
	var all []any
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			less := maps.Clone(value)
			delete(less, name)
			all = append(all, less)
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			for _, inner := range smallerThan(value[name]) {
				changed := maps.Clone(value)
				changed[name] = inner
				all = append(all, changed)
			}
		}
	case []any:
		for i := range value {
			all = append(all, slices.Delete(slices.Clone(value), i, i+1))
		}
		for i := range min(len(value), 8) {
			for _, inner := range smallerThan(value[i]) {
				changed := slices.Clone(value)
				changed[i] = inner
				all = append(all, changed)
			}
		}
	case string:
		if runes := []rune(value); len(runes) > 1 {
			all = append(all, "x", string(runes[:len(runes)/2]), string(runes[:len(runes)-1]))
		}
	}
	return all
}

func encode(value any) (json.RawMessage, bool) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return nil, false
	}
	return bytes.TrimSpace(out.Bytes()), true
}

// A generator makes random values of a conjunction, near the bounds of another one. The same pair gives the same
// values.
type generator struct {
	*checker
	random *rand.Rand
}

func newGenerator(c *checker) *generator {
	return &generator{checker: c, random: rand.New(rand.NewPCG(1, 2))}
}

// value makes one value.
func (g *generator) value(a, b conj, depth int) (any, bool) {
	atoms := g.atoms(a)
	if len(atoms) == 0 || depth > 10 {
		return nil, false
	}
	one := atoms[g.random.IntN(len(atoms))]
	var near []*atom
	for _, other := range g.atoms(b) {
		if other.kind == one.kind {
			near = append(near, other)
		}
	}
	switch {
	case one.finite != nil:
		return one.finite[g.random.IntN(len(one.finite))], true
	case one.kind == kindArray:
		return g.array(one, near, depth)
	case one.kind == kindObject:
		return g.object(one, near, depth)
	}
	values := g.values(one, near)
	if len(values) == 0 {
		return nil, false
	}
	return values[g.random.IntN(len(values))], true
}

// pick is one of the atoms; nil if there is none.
func (g *generator) pick(atoms []*atom) *atom {
	if len(atoms) == 0 {
		return nil
	}
	return atoms[g.random.IntN(len(atoms))]
}

func (g *generator) array(a *atom, near []*atom, depth int) (any, bool) {
	other := g.pick(near)
	length := a.minItems + g.random.IntN(3)
	if most := g.maxItems(a); most >= 0 {
		length = min(length, most)
	}
	if length > 100 {
		return g.arrayOf(a, length)
	}
	array := []any{}
	for i := range length {
		var like conj
		if other != nil {
			like = other.item(i)
		}
		value, ok := g.value(a.item(i), like, depth+1)
		if !ok {
			return nil, false
		}
		array = append(array, value)
	}
	return array, true
}

func (g *generator) object(a *atom, near []*atom, depth int) (any, bool) {
	other := g.pick(near)
	object := map[string]any{}
	likely := g.random.IntN(4)
	add := func(name string) bool {
		var like conj
		if other != nil {
			like = other.property(name, g.checker)
		}
		value, ok := g.value(a.property(name, g.checker), like, depth+1)
		if ok {
			object[name] = value
		}
		return ok
	}
	for _, name := range a.names() {
		if (a.required[name] || g.random.IntN(4) < likely) && !add(name) && a.required[name] {
			return nil, false
		}
	}
	if !g.closed(a, depth == 0) {
		if other != nil {
			for _, name := range other.names() {
				if !a.declares(name, g.checker) && g.random.IntN(4) < likely {
					add(name)
				}
			}
		}
		switch names := g.newNames(a); {
		case g.random.IntN(3) > 0:
		case len(a.naming) == 0:
			add("key" + strings.Repeat("x", g.random.IntN(2)))
		case len(names) > 0:
			add(names[g.random.IntN(len(names))])
		}
	}
	return object, true
}
