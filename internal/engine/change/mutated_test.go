package change

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// TestMutatedSchemas changes the schemas of real tools at random, the way authors and generators do, and looks for
// breaks that were missed. MCPTEST_MUTATIONS sets the number of pairs, MCPTEST_SAMPLES the samples per pair.
func TestMutatedSchemas(t *testing.T) {
	count, samples := 300, 60
	if n, err := strconv.Atoi(os.Getenv("MCPTEST_MUTATIONS")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("MCPTEST_SAMPLES")); err == nil {
		samples = n
	}
	schemas := realInputs(t)
	random := rand.New(rand.NewPCG(uint64(count), 3))
	var f figures
	for range count {
		before := schemas[random.IntN(len(schemas))]
		after := decode(before).(map[string]any)
		e := editor{random: random, root: after}
		for range 1 + random.IntN(3) {
			e.edit()
		}
		was, is := &state{Server: "mutated"}, &state{Server: "mutated"}
		was.Tools, is.Tools = mutatedTools(before, encode(after)), mutatedTools(encode(after), before)
		if random.IntN(2) == 0 {
			was, is = is, was
		}
		f.pairs++
		f.add(t, was, is, samples)
	}
	t.Logf("%d pairs, %d changed tools, %d breaking, %d cosmetic, %d unknown; %d of %d breaking changes confirmed; "+
		"%d samples: %d false compatible, %d missed, %d false alarms; %d tools without an independent validation",
		f.pairs, f.changed, f.breakingTools, f.cosmetic, f.unknown, f.confirmed, f.breaking, f.samples,
		f.falseCompatible, f.missed, f.alarms,
		f.unvalidated)
	if f.alarms*100 > f.breakingTools*2 {
		t.Errorf("%d false alarms in %d breaking tools, want at most 2 %%", f.alarms, f.breakingTools)
	}
	if f.unknown*100 >= f.changed*3 {
		t.Errorf("%d of %d changed tools unknown, want less than 3 %%", f.unknown, f.changed)
	}
}

// mutatedTools are a tool with an input schema, and one with an output schema.
func mutatedTools(input, output json.RawMessage) []json.RawMessage {
	return []json.RawMessage{encode(map[string]any{"name": "in", "inputSchema": input}),
		encode(map[string]any{"name": "out", "inputSchema": map[string]any{"type": "object"}, "outputSchema": output})}
}

func realInputs(t *testing.T) []json.RawMessage {
	var all []json.RawMessage
	realdata.EachLine(t, realdata.Path(t, "tools.jsonl"), func(line []byte) {
		var server struct {
			Tools []struct{ InputSchema json.RawMessage }
		}
		if err := json.Unmarshal(line, &server); err != nil {
			t.Fatal(err)
		}
		for _, tool := range server.Tools {
			if s := object(tool.InputSchema); s["type"] == "object" && len(tool.InputSchema) > 60 &&
				validator(s) != nil {
				all = append(all, tool.InputSchema)
			}
		}
	})
	return all
}

// An editor changes a schema at a random place.
type editor struct {
	random *rand.Rand
	root   map[string]any
}

// places lists the subschemas, the root first.
func (e *editor) places() []map[string]any {
	all := []map[string]any{e.root}
	for i := 0; i < len(all) && len(all) < 200; i++ {
		properties, _ := all[i]["properties"].(map[string]any)
		for _, name := range sortedKeys(properties) {
			if inner, ok := properties[name].(map[string]any); ok {
				all = append(all, inner)
			}
		}
		if inner, ok := all[i]["items"].(map[string]any); ok {
			all = append(all, inner)
		}
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			list, _ := all[i][keyword].([]any)
			for _, one := range list {
				if inner, ok := one.(map[string]any); ok {
					all = append(all, inner)
				}
			}
		}
	}
	return all
}

func pickOne[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (e *editor) edit() {
	places := e.places()
	at := pickOne(e.random, places)
	switch properties, _ := at["properties"].(map[string]any); {
	case properties != nil && e.random.IntN(2) == 0:
		e.object(at, properties)
	case e.random.IntN(3) == 0 && len(places) > 1:
		e.rewrite(pickOne(e.random, places[1:]))
	default:
		e.keyword(at)
	}
}

// object changes the properties of an object.
func (e *editor) object(at, properties map[string]any) {
	names := sortedKeys(properties)
	required, _ := at["required"].([]any)
	switch e.random.IntN(7) {
	case 0:
		if len(names) > 0 {
			name := pickOne(e.random, names)
			delete(properties, name)
			at["required"] = slices.DeleteFunc(append([]any{}, required...), func(v any) bool { return v == name })
		}
	case 1:
		properties["added"] = map[string]any{"type": "string"}
	case 2:
		properties["needed"] = map[string]any{"type": "integer"}
		at["required"] = append(slices.Clone(required), "needed")
	case 3:
		if len(names) > 0 && !slices.Contains(required, any(names[0])) {
			at["required"] = append(slices.Clone(required), names[0])
		}
	case 4:
		delete(at, "required")
	case 5:
		at["additionalProperties"] = pickOne(e.random, []any{false, true, map[string]any{"type": "string"}})
	case 6:
		if len(names) > 0 {
			name := pickOne(e.random, names)
			properties[name+"_id"] = properties[name]
			delete(properties, name)
			at["required"] = slices.DeleteFunc(append([]any{}, required...), func(v any) bool { return v == name })
		}
	}
}

// keyword sets or removes a keyword that fits the type.
func (e *editor) keyword(at map[string]any) {
	number := func(n int) any { return json.Number(strconv.Itoa(n)) }
	type choice struct {
		keyword string
		value   any
	}
	choices := []choice{{"description", "Another text."}}
	set := func(keyword string, value any) { choices = append(choices, choice{keyword, value}) }
	switch at["type"] {
	case "string":
		set("minLength", number(e.random.IntN(4)))
		set("maxLength", number(1+e.random.IntN(300)))
		set("pattern", pickOne(e.random, []string{"^[a-z]+$", "^\\S+$", "^.*$", "^[a-zA-Z0-9_-]{1,64}$", "\\d"}))
		set("format", "uri")
		set("type", pickOne(e.random, []any{"integer", []any{"string", "null"}, []any{"string", "integer"}}))
		if values, ok := at["enum"].([]any); ok && len(values) > 0 {
			set("enum", values[1:])
			set("enum", append(slices.Clone(values), "another"))
			set("enum", append(slices.Clone(values[1:]), values[0]))
		} else {
			set("enum", []any{"a", "b", "x"})
		}
	case "integer", "number":
		set("minimum", number(e.random.IntN(5)-2))
		set("maximum", number(e.random.IntN(1000)))
		set("exclusiveMinimum", number(e.random.IntN(3)))
		set("maximum", json.Number("9007199254740991"))
		set("multipleOf", number(1+e.random.IntN(3)))
		set("type", pickOne(e.random, []any{"number", "integer", "string", []any{"number", "null"}}))
	case "boolean":
		set("type", pickOne(e.random, []any{"string", []any{"boolean", "null"}}))
		set("const", true)
	case "array":
		set("minItems", number(e.random.IntN(3)))
		set("maxItems", number(e.random.IntN(5)))
		set("uniqueItems", true)
		set("type", []any{"array", "string"})
	case "object":
		if properties, _ := at["properties"].(map[string]any); len(properties) > 2 {
			set("minProperties", number(e.random.IntN(3)))
		}
		set("additionalProperties", false)
	}
	chosen := pickOne(e.random, choices)
	if _, has := at[chosen.keyword]; has && chosen.keyword != "type" && e.random.IntN(2) == 0 {
		delete(at, chosen.keyword)
		return
	}
	if list, ok := chosen.value.([]any); ok && len(list) == 0 {
		return
	}
	at[chosen.keyword] = chosen.value
}

// rewrite writes a subschema differently: the same values and null, or only the same values.
func (e *editor) rewrite(at map[string]any) {
	inner := map[string]any{}
	for name, value := range at {
		if name != "description" {
			inner[name] = value
			delete(at, name)
		}
	}
	switch e.random.IntN(5) {
	case 0:
		at["anyOf"] = []any{inner, map[string]any{"type": "null"}}
	case 1:
		at["allOf"] = []any{inner}
	case 2:
		definitions, _ := e.root["$defs"].(map[string]any)
		if definitions == nil {
			definitions = map[string]any{}
			e.root["$defs"] = definitions
		}
		name := "D" + strconv.Itoa(len(definitions))
		definitions[name] = inner
		at["$ref"] = "#/$defs/" + name
	case 3:
		at["oneOf"] = []any{inner, map[string]any{"type": "boolean"}}
	case 4:
		at["anyOf"] = []any{inner, map[string]any{"type": "array", "items": inner}}
	}
}
