package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyParameter draws the schema of a parameter.
func anyParameter(t *rapid.T) map[string]any {
	return rapid.OneOf(
		rapid.Just(map[string]any{"type": "string"}),
		rapid.Map(rapid.IntRange(1, 50), func(n int) map[string]any {
			return map[string]any{"type": "string",
				"maxLength": n}
		}),
		rapid.Map(rapid.IntRange(1, 50), func(n int) map[string]any {
			return map[string]any{"type": "integer",
				"maximum": n}
		}),
		rapid.Map(rapid.SliceOfNDistinct(rapid.SampledFrom([]any{"a", "b", "c", "d"}), 1, 4, rapid.ID),
			func(v []any) map[string]any { return map[string]any{"enum": v} }),
		rapid.Just(map[string]any{"anyOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "null"}}}),
		rapid.Map(rapid.IntRange(1, 5), func(n int) map[string]any {
			return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "maxItems": n}
		}),
	).Draw(t, "parameter")
}

func anyInput(t *rapid.T) map[string]any {
	properties := map[string]any{}
	var required []any
	for _, name := range []string{"a", "b", "c"} {
		if rapid.Bool().Draw(t, name) {
			properties[name] = anyParameter(t)
			if rapid.Bool().Draw(t, "required") {
				required = append(required, name)
			}
		}
	}
	input := map[string]any{"type": "object", "properties": properties}
	if required != nil {
		input["required"] = required
	}
	if rapid.Bool().Draw(t, "closed") {
		input["additionalProperties"] = false
	}
	return input
}

func diffInputs(t *rapid.T, before, after any) *Diff {
	definition := func(input any) []json.RawMessage {
		return []json.RawMessage{encode(map[string]any{"name": "t", "inputSchema": input})}
	}
	return compareTools(definition(before), definition(after))
}

// A surface does not differ from itself.
func TestSameIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := anyInput(t)
		if d := diffInputs(t, input, input); len(d.Items) > 0 || d.Verdict != "" || d.Semver.Suggested != "none" {
			t.Fatalf("%v", d)
		}
	})
}

func TestRealStatesEqualThemselves(t *testing.T) {
	for _, s := range readStates(t) {
		if d := Compare(s.surface(), s.surface()); len(d.Items) > 0 {
			t.Errorf("%s %s: %d differences", s.Server, s.Version, len(d.Items))
		}
	}
}

// Moving parameters to $defs is cosmetic.
func TestReferencesAreCosmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := anyInput(t)
		moved := maps.Clone(input)
		definitions, properties := map[string]any{}, map[string]any{}
		for name, property := range input["properties"].(map[string]any) {
			definitions["D"+name] = property
			properties[name] = map[string]any{"$ref": "#/$defs/D" + name}
		}
		moved["properties"], moved["$defs"] = properties, definitions
		if len(properties) == 0 {
			return
		}
		for _, d := range []*Diff{diffInputs(t, input, moved), diffInputs(t, moved, input)} {
			if d.Verdict != Cosmetic {
				t.Fatalf("%s: %v", encode(input), d)
			}
		}
	})
}

// Another order of fields, properties and tools is cosmetic.
func TestOrderIsCosmetic(t *testing.T) {
	one := `{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"},` +
		`"y":{"type":"integer"}},"required":["x","y"]}}`
	two := `{"name":"b","inputSchema":{"type":"object"}}`
	swapped := `{"inputSchema":{"required":["y","x"],"properties":{"y":{"type":"integer"},"x":{"type":"string"}},` +
		`"type":"object"},"description":"d","name":"a"}`
	d := compareTools([]json.RawMessage{json.RawMessage(one), json.RawMessage(two)},
		[]json.RawMessage{json.RawMessage(two), json.RawMessage(swapped)})
	if d.Verdict != Cosmetic {
		t.Errorf("verdict %q, want cosmetic: %+v", d.Verdict, d.Items)
	}
}

// What is compatible in one direction is breaking or cosmetic in the other.
func TestWideningAndNarrowing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := anyInput(t), anyInput(t)
		if rapid.Bool().Draw(t, "related") {
			after = maps.Clone(before)
			properties := maps.Clone(before["properties"].(map[string]any))
			properties["a"] = anyParameter(t)
			after["properties"] = properties
		}
		there, back := diffInputs(t, before, after), diffInputs(t, after, before)
		if there.Verdict == Cosmetic && back.Verdict != Cosmetic {
			t.Fatalf("%s → %s: cosmetic, and %s back", encode(before), encode(after), back.Verdict)
		}
		kinds := func(d *Diff) string {
			var all []string
			for _, item := range d.Items {
				for _, c := range item.Changes {
					all = append(all, c.Kind)
				}
			}
			slices.Sort(all)
			return strings.Join(slices.Compact(all), " ")
		}
		if there.Verdict == Compatible && back.Verdict == Compatible && kinds(there) == "parameter-changed" &&
			kinds(back) == "parameter-changed" {
			t.Fatal(fmt.Sprintf("%s ↔ %s: compatible both ways", encode(before), encode(after)))
		}
	})
}
