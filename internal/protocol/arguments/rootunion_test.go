package arguments

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func labels(variants []Field) string {
	var all []string
	for _, v := range variants {
		all = append(all, v.Label)
	}
	return strings.Join(all, " | ")
}

const lookup = `{"type":"object","properties":{"project":{"type":"string"}},"required":["project"],
  "oneOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},
    {"properties":{"name":{"type":"string"},"exact":{"type":"boolean","default":true}},"required":["name"]}]}`

func TestAChoiceBetweenObjectsIsAFormWithVariants(t *testing.T) {
	form := Model(json.RawMessage(lookup))
	if form.Mode != ModeForm || len(form.Fields) != 0 || labels(form.Variants) != "id | name" {
		t.Fatalf("Model = %s %q, variants %s, want id and name", form.Mode, form.Reason, labels(form.Variants))
	}
	for value, want := range map[*Value]string{
		{}: `{}`,
		{State: Set, Variant: 7, Variants: []Value{{State: Set}}}:  `{}`,
		{State: Set, Variant: -1, Variants: []Value{{State: Set}}}: `{}`,
		{State: Set, Variant: 1, Variants: []Value{{State: Set, Items: []Value{{Name: "id", State: Set, Text: "7"}}},
			{State: Set, Items: []Value{{Name: "name", State: Set, Text: "7"}}}}}: `{"name":"7"}`,
	} {
		if got, errs := form.Encode(*value); string(got) != want || len(errs) > 0 {
			t.Errorf("Encode(%+v) = %s, %v, want %s", value, got, errs, want)
		}
	}
	for args, want := range map[string]int{`{"id":7,"project":"p"}`: 0, `{"name":"n","project":"p"}`: 1,
		`{"more":[1.0],"exact":false,"name":"n"}`: 1, `{}`: 0} {
		v, _, err := form.Parse(json.RawMessage(args))
		if err != nil || v.Variant != want {
			t.Errorf("variant of %s = %d, %v, want %d", args, v.Variant, err, want)
		}
		if got, errs := form.Encode(overTheWire(t, v)); string(got) != args || len(errs) > 0 {
			t.Errorf("JSON through the form = %s, %v, want %s", got, errs, args)
		}
	}
}

func TestAFormWithVariantsStartsWithTheFirst(t *testing.T) {
	form := Model(json.RawMessage(`{"anyOf":[{"title":"A","properties":{"kind":{"const":"a"},"x":{"type":"string"}},
	  "required":["kind"]},{"title":"B","properties":{"kind":{"const":"b"}},"required":["kind"]}]}`))
	if got, errs := form.Encode(form.Start()); string(got) != `{"kind":"a"}` || len(errs) > 0 {
		t.Errorf("Encode(Start) = %s, %v, want the constant of the first variant", got, errs)
	}
}

func TestVariantsOfTheInput(t *testing.T) {
	for _, test := range []struct{ schema, want string }{
		{`{"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"null"}]}`, ""}, // one object
		{`{"oneOf":[{"type":"string"},{"type":"object","title":"O","properties":{"a":{}}}]}`, "O"},
		{`{"type":"object","anyOf":[{"properties":{"a":{"type":"string"}}},{"required":["b"]}]}`, "a | object"},
		{`{"$defs":{"A":{"properties":{"x":{}}},"B":{"anyOf":[{"title":"B1","properties":{"y":{}}},
		  {"title":"B2","properties":{"z":{}}}]}},"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}`, "A | B1 | B2"},
		{`{"oneOf":[{"properties":{"a":{},"b":{}}},{"properties":{"a":{},"b":{}}}]}`, "object | object 2"},
	} {
		form := Model(json.RawMessage(test.schema))
		if form.Mode != ModeForm || labels(form.Variants) != test.want {
			t.Errorf("Model(%s) = %s %q, variants %q, want %q", test.schema, form.Mode, form.Reason, labels(form.Variants),
				test.want)
		}
	}
}

func TestArgumentsWithFreeNames(t *testing.T) {
	for source, want := range map[string]Kind{`{"type":"object","additionalProperties":{"type":"integer"}}`: KindInteger,
		`{"type":"object","additionalProperties":true}`: KindJSON, `{"type":"object"}`: "",
		`{"type":"object","additionalProperties":false}`:                                      "",
		`{"properties":{"a":{}},"additionalProperties":true}`:                                 "",
		`{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`:                    KindString,
		`{"properties":{"a":{}},"additionalProperties":{}}`:                                   "",
		`{"properties":{"a":{"type":"string"}},"patternProperties":{"^x":{"type":"string"}}}`: KindString,
	} {
		form := Model(json.RawMessage(source))
		if form.Mode != ModeForm || form.Items == nil != (want == "") || form.Items != nil && form.Items.Kind != want {
			t.Errorf("Model(%s) = %s with free properties %+v, want %q", source, form.Mode, form.Items, want)
		}
	}
	trip(t, json.RawMessage(`{"type":"object","additionalProperties":{"type":"integer"}}`), `{"b":1,"a":2}`)
}

func TestTextIsConvertedInTheVariantThatItMakesValid(t *testing.T) {
	for args, want := range map[string]string{`{"project":"p","id":"8"}`: "id: send 8 instead of \"8\"",
		`{"project":"p","name":"n","exact":"true"}`: `exact: send true instead of "true"`, `{"project":"p","id":"x"}`: ""} {
		var got []string
		for _, fix := range examine(t, json.RawMessage(lookup), args).Fixes {
			got = append(got, fix.Message)
		}
		if strings.Join(got, ",") != want {
			t.Errorf("fixes of %s = %q, want %q", args, got, want)
		}
	}
	got, errs := Assign(json.RawMessage(lookup), []string{"project=5", "id=8"})
	if string(got) != `{"project":"5","id":8}` || len(errs) > 0 {
		t.Errorf("Assign = %s, %v, want a number in the variant", got, errs)
	}
	disagree := Model(json.RawMessage(`{"oneOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"a":{"type":"integer"}}}]}`))
	if !slices.ContainsFunc(disagree.Variants, func(f Field) bool { return f.Fields[0].Kind == KindInteger }) {
		t.Errorf("variants %s, want one with an integer", labels(disagree.Variants))
	}
}
