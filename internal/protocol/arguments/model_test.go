package arguments

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModelDescribesAField(t *testing.T) {
	got := one(t,
		tool(`{"type":"integer","title":"How many","description":"D","default":9007199254740993,"examples":[1,2.0],
	  "minimum":1,"maximum":1e3,"exclusiveMinimum":0,"multipleOf":3}`, true))
	want := &Field{
		Name: "v", Kind: KindInteger, Label: "How many", Description: "D", Required: true, Default: "9007199254740993",
		Examples: []string{"1", "2.0"}, Step: "1",
		Limits:  &Limits{Minimum: "1", Maximum: "1e3", ExclusiveMinimum: "0", MultipleOf: "3"},
		Initial: &Value{Name: "v", State: Set, Text: "9007199254740993", JSON: "9007199254740993"},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("field (-got +want)\n%s", diff)
	}
}

func TestModelFormats(t *testing.T) {
	for _, test := range []struct{ property, want string }{
		{`{"type":"string","format":"date"}`, "date"},
		{`{"type":"string","format":"uri"}`, "uri"},
		{`{"type":"string","format":"email"}`, "email"},
		{`{"type":"string","format":"textarea"}`, "multiline"},
		{`{"type":"string","maxLength":200}`, "multiline"},
		{`{"type":"string","maxLength":5000}`, "multiline"},
		{`{"type":"string","maxLength":199}`, ""},
		{`{"type":"string","default":"a\nb"}`, "multiline"},
		{`{"type":"string"}`, ""},
	} {
		if got := one(t, tool(test.property, false)).Format; got != test.want {
			t.Errorf("format of %s = %q, want %q", test.property, got, test.want)
		}
	}
}

func TestModelEnums(t *testing.T) {
	for _, test := range []struct {
		name, property string
		want           []Option
		nullable       bool
	}{
		{"strings", `{"type":"string","enum":["a","b"]}`, []Option{{`"a"`, "a", "a"}, {`"b"`, "b", "b"}}, false},
		{"numbers keep their spelling", `{"enum":[1,2.0]}`, []Option{{"1", "1", "1"}, {"2.0", "2.0", "2.0"}}, false},
		{"null is a state, not an option", `{"enum":["a",null]}`, []Option{{`"a"`, "a", "a"}}, true},
		{"titled constants", `{"oneOf":[{"const":"a","title":"A!"},{"const":2}]}`,
			[]Option{{`"a"`, "a", "A!"}, {"2", "2", "2"}}, false},
		{"names beside", `{"enum":["a","b"],"enumNames":["A","B"]}`, []Option{{`"a"`, "a", "A"}, {`"b"`, "b", "B"}},
			false},
		{"a constant", `{"const":{"x":1}}`, []Option{{`{"x":1}`, `{"x":1}`, `{"x":1}`}}, false},
		{"nullable by union", `{"anyOf":[{"enum":["a"]},{"type":"null"}]}`, []Option{{`"a"`, "a", "a"}}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := one(t, tool(test.property, false))
			if diff := cmp.Diff(f.Options, test.want); f.Kind != KindEnum || f.Nullable != test.nullable || diff != "" {
				t.Errorf("%s, nullable %t (-got +want)\n%s", f.Kind, f.Nullable, diff)
			}
		})
	}
}

func TestModelFollowsReferencesAndAllOf(t *testing.T) {
	pydantic := json.RawMessage(`{"$defs":{"Color":{"enum":["red","green"],"title":"Color","type":"string"},
	  "Item":{"properties":{"name":{"title":"Name","type":"string"},"size":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}},
	  "required":["name"],"title":"Item","type":"object"}},
	  "properties":{"color":{"$ref":"#/$defs/Color","default":"red"},"base":{"allOf":[{"$ref":"#/$defs/Color"}],"description":"outer"},
	  "item":{"$ref":"#/$defs/Item"},"items":{"items":{"$ref":"#/$defs/Item"},"type":"array"},
	  "maybe":{"anyOf":[{"$ref":"#/$defs/Item"},{"type":"null"}],"default":null}},"required":["item"],"type":"object"}`)
	form := Model(pydantic)
	if form.Mode != ModeForm {
		t.Fatalf("no form: %s", form.Reason)
	}
	var got []string
	for _, f := range form.Fields {
		got = append(got, strings.Join([]string{f.Name, string(f.Kind), f.Label, f.Description, f.Default}, "|"))
	}
	want := []string{"color|enum|Color||\"red\"", "base|enum|Color|outer|", "item|object|Item||", "items|rows|items||",
		"maybe|object|Item||null"}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("fields (-got +want)\n%s", diff)
	}
	if maybe := form.Fields[4]; !maybe.Nullable || !maybe.Fields[1].Nullable || maybe.Fields[0].Required != true {
		t.Errorf("maybe = %+v, want a nullable fieldset with a required name and a nullable size", maybe)
	}
}

func TestModelJSONOnly(t *testing.T) {
	for _, test := range []struct{ schema, reason string }{
		{`{"anyOf":[{"type":"string"},{"type":"array","items":{}}]}`, "alternatives (anyOf): none is an object"},
		{`{"oneOf":[{"type":"object","properties":{}},{"$ref":"#/x"}]}`, "(oneOf): one of them cannot be resolved"},
		{`{"type":"string"}`, "not an object"},
		{`null`, "null is not a schema"},
		{``, "not valid JSON"},
		{strings.Repeat(`{"not":`, 64) + "{}" + strings.Repeat("}", 64), "nested more than 64 levels"},
		{`{"$ref":"https://example.com/x"}`, "unresolved reference"},
		{`{"$ref":"#"}`, "too complex to resolve"},
		{`{"properties":[]}`, "not an object"},
	} {
		form := Model(json.RawMessage(test.schema))
		if form.Mode != ModeJSON || !strings.Contains(form.Reason, test.reason) {
			t.Errorf("Model(%s) = %s %q, want JSON only because of %q", test.schema, form.Mode, form.Reason,
				test.reason)
		}
	}
}

func TestModelFieldsAsJSON(t *testing.T) {
	for _, test := range []struct{ property, reason string }{
		{`{"type":"array","prefixItems":[{"type":"string"}],"items":{}}`, "positional types"},
		{`{"type":"strng"}`, "unknown type"},
		{`5`, "5 is not a schema"},
		{`{"$ref":"#/$defs/none"}`, "unresolved reference"},
		{`{"type":"object","properties":[]}`, "not an object"},
		{`{"description":"anything"}`, ""},
	} {
		form := Model(json.RawMessage(`{"properties":{"s":{"type":"string"},"v":` + test.property + `}}`))
		if form.Mode != ModeForm || len(form.Fields) != 2 || form.Fields[0].Kind != KindString {
			t.Fatalf("Model of %s = %s %q, want a form", test.property, form.Mode, form.Reason)
		}
		if v := form.Fields[1]; v.Kind != KindJSON || !strings.Contains(v.Reason, test.reason) ||
			(v.Reason == "") != (test.reason == "") {
			t.Errorf("field of %s = %s %q, want JSON because of %q", test.property, v.Kind, v.Reason, test.reason)
		}
	}
	bombed := Model(json.RawMessage(`{"properties":{"p":{"$ref":"#/$defs/d0"}},"$defs":{` + bomb(40) + `}}`))
	if p := bombed.Fields[0]; p.Kind != KindJSON || !strings.Contains(p.Reason, "too complex") {
		t.Errorf("field of references that double = %s %q", p.Kind, p.Reason)
	}
}

func TestStartSetsDefaultsAndRequiredNulls(t *testing.T) {
	s := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"null"},"c":{"type":"integer"},
	  "d":{"type":"array","items":{"type":"integer"},"default":[1,2]},"e":{"type":"integer","default":"odd"}},"required":["b"]}`)
	form := Model(s)
	start := form.Start()
	got, errs := form.Encode(start)
	if want := `{"a":"x","b":null,"d":[1,2],"e":"odd"}`; string(got) != want || len(errs) > 0 {
		t.Errorf("Encode(Start) = %s, %v, want %s", got, errs, want)
	}
	start.Items[0].State, start.Items[3].State, start.Items[4].State = Unset, Unset, Unset
	if got, _ := form.Encode(start); string(got) != `{"b":null}` {
		t.Errorf("after unsetting the defaults = %s", got)
	}
}

// bomb is definitions that double at each level.
func bomb(levels int) string {
	var defs []string
	for i := range levels {
		defs = append(defs, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	return strings.Join(defs, ",") + fmt.Sprintf(`,"d%d":{"type":"string"}`, levels)
}
