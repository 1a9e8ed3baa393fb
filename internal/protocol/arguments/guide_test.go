package arguments

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// tool is the input schema of a tool with the single property v.
func tool(property string, required bool) json.RawMessage {
	if required {
		return json.RawMessage(`{"type":"object","properties":{"v":` + property + `},"required":["v"]}`)
	}
	return json.RawMessage(`{"type":"object","properties":{"v":` + property + `}}`)
}

// one is the only field of a form.
func one(t *testing.T, inputSchema json.RawMessage) *Field {
	t.Helper()
	form := Model(inputSchema)
	if form.Mode != ModeForm || len(form.Fields) != 1 {
		t.Fatalf("Model = %s %q with %d fields, want a form with one", form.Mode, form.Reason, len(form.Fields))
	}
	return &form.Fields[0]
}

// sends checks the bytes that a form makes of values, and that they meet the schema.
func sends(t *testing.T, inputSchema json.RawMessage, values []Value, want string) {
	t.Helper()
	got, errs := Model(inputSchema).Encode(Value{State: Set, Items: values})
	if len(errs) > 0 || string(got) != want {
		t.Fatalf("Encode = %s, %v, want %s", got, errs, want)
	}
	compiled, err := schema.Compile(inputSchema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if violations := compiled.Validate(got); len(violations) > 0 {
		t.Errorf("%s violates the schema: %s", got, violations[0].Message)
	}
}

func text(name, typed string) Value { return Value{Name: name, State: Set, Text: typed} }

func TestGuideBasicTypes(t *testing.T) {
	for _, row := range []struct {
		name, schema string
		kind         Kind
		step         string
		value        Value
		want         string
	}{
		{"integer", `{ "type": "integer" }`, KindInteger, "1", text("v", "42"), `{"v":42}`},
		{"number", `{ "type": "number" }`, KindNumber, "", text("v", "42.5"), `{"v":42.5}`},
		{"string", `{ "type": "string" }`, KindString, "", text("v", "hello"), `{"v":"hello"}`},
		{"boolean true", `{ "type": "boolean" }`, KindBoolean, "", text("v", "true"), `{"v":true}`},
		{"boolean false", `{ "type": "boolean" }`, KindBoolean, "", text("v", "false"), `{"v":false}`},
		{"null", `{ "type": "null" }`, KindNull, "", Value{Name: "v", State: Null}, `{"v":null}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := one(t, tool(row.schema, true))
			if f.Kind != row.kind || f.Step != row.step {
				t.Errorf("field is %s with step %q, want %s with step %q", f.Kind, f.Step, row.kind, row.step)
			}
			sends(t, tool(row.schema, true), []Value{row.value}, row.want)
		})
	}
	t.Run("a required null needs no input", func(t *testing.T) {
		sends(t, tool(`{"type":"null"}`, true), nil, `{"v":null}`)
	})
	t.Run("an optional null is omitted", func(t *testing.T) {
		sends(t, tool(`{"type":"null"}`, false), nil, `{}`)
	})
}

func TestGuideTypeConversion(t *testing.T) {
	for _, row := range []struct {
		name  string
		kind  Kind
		typed string
		want  string // empty for an error
	}{
		{"String to Integer: 42", KindInteger, "42", "42"},
		{"String to Integer: 1.5", KindInteger, "1.5", ""},
		{"String to Number: 42.5", KindNumber, "42.5", "42.5"},
		{"String to Number: text", KindNumber, "abc", ""},
		{"String to Boolean: true", KindBoolean, "true", "true"},
		{"String to Boolean: false", KindBoolean, "false", "false"},
		{"String to Boolean: yes", KindBoolean, "yes", ""},
		{"String to Boolean: True", KindBoolean, "True", ""},
		{"String to Boolean: 1", KindBoolean, "1", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := Convert(&Field{Name: "v", Kind: row.kind}, row.typed)
			if row.want != "" && (err != nil || string(got) != row.want) {
				t.Errorf("Convert(%q) = %s, %v, want %s", row.typed, got, err, row.want)
			}
			if row.want == "" && (err == nil || err.Field != "v" || err.Text != row.typed ||
				err.Want != string(row.kind) ||
				!strings.Contains(err.Message, row.typed) || !strings.Contains(err.Message, "v:")) {
				t.Errorf("Convert(%q) = %s, %+v, want an error that names field, text and type", row.typed, got, err)
			}
		})
	}
	for _, row := range []struct {
		name, args string
		valid      bool
		offer      string
	}{
		{"Number to Integer: 42", `{"v":42}`, true, ""},
		{"Number to Integer: 1.5", `{"v":1.5}`, false, ""},
		{"JSON string for an integer is offered a correction", `{"v":"42"}`, false, "42"},
		{"JSON string that is no integer is offered none", `{"v":"1.5"}`, false, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := examine(t, tool(`{"type":"integer"}`, true), row.args)
			if (len(got.Violations) == 0) != row.valid {
				t.Errorf("violations = %v, want valid %t", got.Violations, row.valid)
			}
			if row.offer == "" && len(got.Fixes) > 0 ||
				row.offer != "" && (len(got.Fixes) != 1 || string(got.Fixes[0].Edits[0].Value) != row.offer) {
				t.Errorf("fixes = %v, want %q", got.Fixes, row.offer)
			}
		})
	}
}

func examine(t *testing.T, inputSchema json.RawMessage, args string) Examination {
	t.Helper()
	compiled, err := schema.Compile(inputSchema, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Examine(compiled, inputSchema, json.RawMessage(args))
}

func TestGuideArrays(t *testing.T) {
	t.Run("Simple Array", func(t *testing.T) {
		s := tool(`{ "type": "array", "items": { "type": "string" }}`, false)
		if f := one(t, s); f.Kind != KindList || f.Items.Kind != KindString {
			t.Errorf("field is %s, want a list of strings", f.Kind)
		}
		sends(t, s, []Value{{Name: "v", State: Set, Items: []Value{text("", "item1"), text("", "item2")}}},
			`{"v":["item1","item2"]}`)
	})
	t.Run("Object Array", func(t *testing.T) {
		s := tool(`{ "type": "array", "items": { "type": "object", "properties": {"name": {"type": "string"}} }}`,
			false)
		if f := one(t, s); f.Kind != KindRows || len(f.Fields) != 1 || f.Fields[0].Name != "name" {
			t.Errorf("field is %s with %v, want rows with a name", f.Kind, f.Fields)
		}
		rows := []Value{{State: Set, Items: []Value{text("name", "item1")}},
			{State: Set, Items: []Value{text("name", "item2")}}}
		sends(t, s, []Value{{Name: "v", State: Set, Items: rows}}, `{"v":[{"name":"item1"},{"name":"item2"}]}`)
	})
	t.Run("Object Array without declared properties", func(t *testing.T) {
		s := tool(`{ "type": "array", "items": { "type": "object" }}`, false)
		if f := one(t, s); f.Kind != KindRows || !f.Open || f.Items.Kind != KindJSON {
			t.Errorf("field is %s, open %t, want open rows", f.Kind, f.Open)
		}
		rows := []Value{{State: Set, Items: []Value{text("name", `"item1"`)}}, {State: Set}}
		sends(t, s, []Value{{Name: "v", State: Set, Items: rows}}, `{"v":[{"name":"item1"},{}]}`)
	})
	optional := tool(`{ "type": ["array", "null"] }`, false)
	t.Run("Optional Array empty", func(t *testing.T) {
		sends(t, optional, []Value{{Name: "v", State: Set}}, `{"v":[]}`)
	})
	t.Run("Optional Array omitted", func(t *testing.T) {
		sends(t, optional, []Value{{Name: "v", State: Unset}}, `{}`)
	})
	t.Run("Optional Array never null", func(t *testing.T) {
		if f := one(t, optional); f.Kind != KindList || f.Nullable {
			t.Errorf("field is %s, nullable %t, want a list without null", f.Kind, f.Nullable)
		}
		if got, errs := Model(optional).Encode(Value{Items: []Value{{Name: "v", State: Null}}}); len(errs) == 0 {
			t.Errorf("Encode of null = %s, want an error", got)
		}
		if got := examine(t, optional, `{"v":null}`); len(got.Violations) > 0 || len(got.Cautions) != 1 || got.OK() {
			t.Errorf("Examine of a null typed as JSON = %+v, want one caution", got)
		}
		if got := examine(t, optional, `{"v":[]}`); !got.OK() {
			t.Errorf("Examine of [] = %+v, want nothing", got)
		}
	})
}

func TestGuideNestedObjects(t *testing.T) {
	t.Run("Single Level", func(t *testing.T) {
		s := tool(`{"type": "object", "properties": {"name": {"type": "string"}}}`, false)
		if f := one(t, s); f.Kind != KindObject || len(f.Fields) != 1 {
			t.Errorf("field is %s with %v, want a fieldset", f.Kind, f.Fields)
		}
		sends(t, s, []Value{{Name: "v", State: Set, Items: []Value{text("name", "Ada")}}}, `{"v":{"name":"Ada"}}`)
	})
	t.Run("Multi Level", func(t *testing.T) {
		s := tool(`{"type": "object", "properties": {"user": {"type": "object", "properties": {"n": {"type": "integer"}}}}}`,
			false)
		user := Value{Name: "user", State: Set, Items: []Value{text("n", "1")}}
		sends(t, s, []Value{{Name: "v", State: Set, Items: []Value{user}}}, `{"v":{"user":{"n":1}}}`)
		trip(t, s, `{"v":{"user":{"n":1.0}}}`)
	})
	t.Run("Mixed Types", func(t *testing.T) {
		s := tool(`{"type": "object", "properties": {"data": {"oneOf": [{"type":"string"},{"type":"number"}]}}}`, false)
		if f := one(t, s).Fields[0]; f.Kind != KindUnion || len(f.Variants) != 2 || f.Variants[1].Label != "number" {
			t.Errorf("data = %+v, want a union of string and number", f)
		}
		data := Value{Name: "data", State: Set, Variant: 1, Variants: []Value{text("", "kept"), text("", "5")}}
		sends(t, s, []Value{{Name: "v", State: Set, Items: []Value{data}}}, `{"v":{"data":5}}`)
		trip(t, s, `{"v":{"data":5.0}}`)
		trip(t, s, `{"v":{"data":"5"}}`)
	})
}

// trip checks that a form shows JSON in full and encodes it again unchanged.
func trip(t *testing.T, inputSchema json.RawMessage, args string) {
	t.Helper()
	form := Model(inputSchema)
	values, notices, err := form.Parse(json.RawMessage(args))
	if err != nil || len(notices) > 0 {
		t.Fatalf("Parse(%s): %v, notices %v", args, err, notices)
	}
	if got, errs := form.Encode(overTheWire(t, values)); string(got) != args || len(errs) > 0 {
		t.Errorf("JSON through the form = %s, %v, want %s", got, errs, args)
	}
}

func TestGuideOptionalFieldsInComplexTypes(t *testing.T) {
	t.Run("Optional field (any type)", func(t *testing.T) {
		for _, property := range []string{`{"type":"string"}`, `{"type":"integer"}`, `{"type":"boolean"}`,
			`{"type":"array"}`,
			`{"type":"object"}`, `{"enum":["a"]}`, `{"type":"null"}`, `{"type":["string","null"]}`} {
			sends(t, tool(property, false), []Value{{Name: "v", State: Unset}}, `{}`)
			sends(t, tool(property, false), nil, `{}`)
		}
	})
	t.Run("Nullable field", func(t *testing.T) {
		for _, property := range []string{`{"type":["string","null"]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`,
			`{"enum":["a",null]}`} {
			if f := one(t, tool(property, false)); !f.Nullable {
				t.Errorf("%s is not nullable", property)
			}
			sends(t, tool(property, false), []Value{{Name: "v", State: Null}}, `{"v":null}`)
		}
	})
	t.Run("Empty array (when set)", func(t *testing.T) {
		sends(t, tool(`{"type": "array"}`, false), []Value{{Name: "v", State: Set}}, `{"v":[]}`)
	})
	t.Run("Empty object (when set)", func(t *testing.T) {
		sends(t, tool(`{"type": "object"}`, false), []Value{{Name: "v", State: Set}}, `{"v":{}}`)
	})
}

func TestGuideScenarios(t *testing.T) {
	t.Run("Complex nested form fields", func(t *testing.T) {
		trip(t, tool(`{"type":"object","properties":{"l2":{"type":"object","properties":{"l3":{"type":"object"}}}}}`,
			false), `{"v":{"l2":{"l3":{"any":1.0}}}}`)
	})
	t.Run("Array field manipulation", func(t *testing.T) {
		s := tool(`{"type":"array","items":{"type":"integer"}}`, false)
		items := []Value{text("", "1"), text("", "2")}
		sends(t, s, []Value{{Name: "v", State: Set, Items: items}}, `{"v":[1,2]}`)
		sends(t, s, []Value{{Name: "v", State: Set, Items: items[1:]}}, `{"v":[2]}`)
		sends(t, s, []Value{{Name: "v", State: Set, Items: items[2:]}}, `{"v":[]}`)
	})
	t.Run("Optional nested fields", func(t *testing.T) {
		s := tool(`{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"integer"}}}`, false)
		sends(t, s, []Value{{Name: "v", State: Set, Items: []Value{{Name: "x", State: Unset}, text("y", "1")}}},
			`{"v":{"y":1}}`)
		sends(t, s, []Value{{Name: "v", State: Unset}}, `{}`)
	})
	t.Run("Mixed type arrays", func(t *testing.T) {
		for _, schema := range []string{`{"type":"array","items":{"type":["string","number"]}}`,
			`{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"}]}}`} {
			trip(t, tool(schema, false), `{"v":["a",1.0,"1"]}`)
		}
		tuple := tool(`{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]}`, false)
		if f := one(t, tuple); f.Kind != KindTuple || len(f.Fields) != 2 {
			t.Errorf("a tuple is a field of kind %s with %d fields", f.Kind, len(f.Fields))
		}
		trip(t, tuple, `{"v":["a",1.0]}`)
	})
	t.Run("Nullable vs Optional", func(t *testing.T) {
		s := json.RawMessage(`{"type":"object","properties":{"nullable":{"type":["string","null"]},` +
			`"optional":{"type":"string"}}}`)
		sends(t, s, []Value{{Name: "nullable", State: Null}, {Name: "optional", State: Unset}}, `{"nullable":null}`)
		if got, errs := Model(s).Encode(Value{Items: []Value{{Name: "optional", State: Null}}}); len(errs) != 1 ||
			errs[0].Field != "optional" {
			t.Errorf("null for an optional field = %s, %v, want an error", got, errs)
		}
	})
	t.Run("Empty collections", func(t *testing.T) {
		s := json.RawMessage(`{"type":"object","properties":{"arr":{"type":"array"},"obj":{"type":"object"}}}`)
		sends(t, s, []Value{{Name: "arr", State: Set}, {Name: "obj", State: Set}}, `{"arr":[],"obj":{}}`)
		sends(t, s, nil, `{}`)
	})
}

func TestGuideOptionalParameters(t *testing.T) {
	optional := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)
	nullable := json.RawMessage(`{"type":"object","properties":{"name":{"type":["string","null"]}}}`)
	t.Run("not set", func(t *testing.T) { sends(t, optional, []Value{{Name: "name", State: Unset}}, `{}`) })
	t.Run("explicit null", func(t *testing.T) {
		sends(t, nullable, []Value{{Name: "name", State: Null}},
			`{"name":null}`)
	})
	t.Run("null needs the schema", func(t *testing.T) {
		if got := examine(t, optional, `{"name":null}`); len(got.Violations) != 1 {
			t.Errorf("Examine = %+v, want one violation", got)
		}
	})
	t.Run("set to empty", func(t *testing.T) { sends(t, optional, []Value{text("name", "")}, `{"name":""}`) })
}
