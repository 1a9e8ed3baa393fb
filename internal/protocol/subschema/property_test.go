package subschema

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// anySchema draws small schemas with every keyword that the rules interpret, and some that they do not.
func anySchema(depth int) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		s := map[string]any{}
		some := func(percent int) bool { return rapid.IntRange(0, 99).Draw(t, "some") < percent }
		if some(70) {
			s["type"] = rapid.SampledFrom([]any{"string", "integer", "number", "boolean", "null", "object", "array",
				[]any{"string", "null"}, []any{"integer", "object"}}).Draw(t, "type")
		}
		number := rapid.IntRange(-2, 4)
		size := rapid.IntRange(0, 3)
		if some(20) {
			s[rapid.SampledFrom([]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}).Draw(t,
				"bound")] = number.Draw(t, "n")
		}
		if some(8) {
			s["multipleOf"] = rapid.IntRange(1, 3).Draw(t, "n")
		}
		if some(20) {
			s[rapid.SampledFrom([]string{"minLength", "maxLength", "minItems", "maxItems", "minProperties",
				"maxProperties"}).Draw(t, "size")] = size.Draw(t, "n")
		}
		if some(10) {
			s["pattern"] = rapid.SampledFrom([]string{"^a", "b$", "^[ab]+$", "x"}).Draw(t, "pattern")
		}
		if some(15) {
			s["enum"] = rapid.SliceOfN(rapid.SampledFrom([]any{nil, true, "a", "ab", "x", 0, 1, 2.5,
				map[string]any{"a": 1}}), 1, 3).Draw(t, "enum")
		}
		if some(5) {
			s["uniqueItems"] = true
		}
		if depth <= 0 {
			return s
		}
		inner := anySchema(depth - 1)
		if some(40) {
			s["properties"] = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), inner, 1, 3).Draw(t,
				"properties")
		}
		if some(25) {
			s["required"] = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 2, rapid.ID).Draw(t,
				"required")
		}
		if some(25) {
			s["additionalProperties"] = rapid.OneOf(rapid.Just(any(false)), rapid.Just(any(true)),
				rapid.Map(inner, func(m map[string]any) any { return m })).Draw(t, "additional")
		}
		if some(8) {
			s["patternProperties"] = map[string]any{rapid.SampledFrom([]string{"^a", "b"}).Draw(t,
				"pattern"): inner.Draw(t, "patterned")}
		}
		if some(20) {
			s["items"] = inner.Draw(t, "items")
		}
		if some(8) {
			s["prefixItems"] = []any{inner.Draw(t, "prefix")}
		}
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			if some(10) {
				s[keyword] = rapid.SliceOfN(inner, 1, 3).Draw(t, keyword)
			}
		}
		for _, keyword := range []string{"not", "contains"} {
			if some(5) {
				s[keyword] = inner.Draw(t, keyword)
			}
		}
		if some(5) {
			s["if"], s["then"] = inner.Draw(t, "if"), inner.Draw(t, "then")
		}
		return s
	})
}

// anyValue draws values near those that anySchema mentions.
func anyValue(depth int) *rapid.Generator[any] {
	scalars := rapid.SampledFrom([]any{nil, true, false, "", "a", "b", "ab", "xy", "aba", 0, 1, -1, 2, 3, 2.5, 4,
		map[string]any{"a": 1}})
	if depth <= 0 {
		return scalars
	}
	return rapid.OneOf(scalars,
		rapid.Map(rapid.SliceOfN(anyValue(depth-1), 0, 3), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c", "ab"}), anyValue(depth-1), 0, 3),
			func(m map[string]any) any { return m }))
}

func raw(t *rapid.T, value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What is contained by rules has no counterexample; what escapes has one that both schemas confirm.
func TestContainmentIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner := anySchema(2).Draw(t, "inner")
		outer := anySchema(2).Draw(t, "outer")
		if rapid.Bool().Draw(t, "related") { // unrelated schemas are seldom contained
			outer = mergeSome(t, inner, outer)
		}
		a, b := raw(t, inner), raw(t, outer)
		compiledA, errA := schema.Compile(a, nil)
		compiledB, errB := schema.Compile(b, nil)
		if errA != nil || errB != nil {
			t.Skip("not valid schemas")
		}
		result := Compare(a, b, nil)
		switch result.Verdict {
		case Escapes:
			if len(compiledA.Validate(result.Counterexample)) > 0 ||
				len(compiledB.Validate(result.Counterexample)) == 0 {
				t.Fatalf("%s ⊆ %s: %s is no counterexample", a, b, result.Counterexample)
			}
		case Contained:
			if result.Samples > 0 {
				return
			}
			for range 30 {
				value := raw(t, anyValue(3).Draw(t, "value"))
				if len(compiledA.Validate(value)) == 0 && len(compiledB.Validate(value)) > 0 {
					t.Fatalf("%s ⊆ %s: contained, but %s is a counterexample", a, b, value)
				}
			}
			for seed := range uint64(6) {
				for _, o := range []schema.SampleOptions{{Seed: seed}, {Seed: seed, AllProperties: true},
					{Seed: seed, Style: schema.Smallest}} {
					if value, err := compiledA.Sample(&o); err == nil && len(compiledB.Validate(value)) > 0 {
						t.Fatalf("%s ⊆ %s: contained, but %s is a counterexample", a, b, value)
					}
				}
			}
		}
	})
}

// mergeSome is a with some keywords of b, or without some of its own.
func mergeSome(t *rapid.T, a, b map[string]any) map[string]any {
	merged := map[string]any{}
	for key, value := range a {
		if rapid.IntRange(0, 3).Draw(t, "drop") > 0 {
			merged[key] = value
		}
	}
	for key, value := range b {
		if rapid.IntRange(0, 3).Draw(t, "take") == 0 {
			merged[key] = value
		}
	}
	return merged
}

// Every schema contains itself, in any order of its keywords.
func TestContainedInItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySchema(2).Draw(t, "schema")
		a := raw(t, s)
		if _, err := schema.Compile(a, nil); err != nil {
			t.Skip("not a valid schema")
		}
		if result := Compare(a, a, nil); result.Verdict != Contained || result.Samples > 0 {
			t.Fatalf("%s: %+v", a, result)
		}
		inlined := raw(t, map[string]any{"$ref": "#/$defs/s", "$defs": map[string]any{"s": s}})
		for _, pair := range [][2]json.RawMessage{{a, inlined}, {inlined, a}} {
			result := Compare(pair[0], pair[1], nil)
			if result.Verdict == Escapes {
				t.Fatalf("%s ⊆ %s: %+v", pair[0], pair[1], result)
			}
		}
	})
}
