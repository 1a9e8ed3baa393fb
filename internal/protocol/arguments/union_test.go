package arguments

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// payment is a model of pydantic: a tagged union, nested models, a map, and a list of a union.
const payment = `{"$defs":{
  "Card":{"properties":{"kind":{"const":"card","default":"card","title":"Kind","type":"string"},
    "number":{"title":"Number","type":"string"}},"required":["number"],"title":"Card","type":"object"},
  "Cash":{"properties":{"kind":{"const":"cash","default":"cash","title":"Kind","type":"string"}},"title":"Cash","type":"object"},
  "Address":{"properties":{"street":{"type":"string"},"country":{"type":"string","default":"CH"}},"required":["street"],
    "title":"Address","type":"object"},
  "Order":{"properties":{"address":{"$ref":"#/$defs/Address"},"kind":{"const":"order","type":"string"},
    "pay":{"discriminator":{"mapping":{},"propertyName":"kind"},"oneOf":[{"$ref":"#/$defs/Card"},{"$ref":"#/$defs/Cash"}],"title":"Pay"},
    "maybe":{"anyOf":[{"type":"integer"},{"type":"string","format":"date-time"},{"type":"null"}],"default":null},
    "mixed":{"items":{"anyOf":[{"type":"integer"},{"type":"string"},{"$ref":"#/$defs/Cash"}]},"type":"array"},
    "prices":{"additionalProperties":{"type":"number"},"type":"object"}},
    "required":["address","kind","pay"],"type":"object"}},
  "properties":{"order":{"$ref":"#/$defs/Order"}},"required":["order"],"type":"object"}`

func TestNestedModelsAreForms(t *testing.T) {
	order := one(t, json.RawMessage(payment))
	var got []string
	for _, f := range order.Fields {
		got = append(got, f.Name+" "+string(f.Kind))
	}
	if want := "address object,kind enum,pay union,maybe union,mixed list,prices object"; strings.Join(got, ",") != want {
		t.Errorf("fields = %s, want %s", strings.Join(got, ","), want)
	}
	pay := field(order.Fields, "pay")
	if len(pay.Variants) != 2 || pay.Variants[0].Label != "Card" || pay.Variants[1].Label != "Cash" || pay.Label != "Pay" {
		t.Errorf("pay = %+v, want the variants Card and Cash", pay)
	}
	if maybe := field(order.Fields, "maybe"); !maybe.Nullable || maybe.Variants[1].Label != "date-time" {
		t.Errorf("maybe = %+v, want a nullable union", maybe)
	}
	for _, args := range []string{
		`{"order":{"address":{"street":"x","country":"CH"},"kind":"order","pay":{"kind":"cash"}}}`,
		`{"order":{"address":{"street":"x"},"kind":"order","pay":{"number":"4","kind":"card"},"maybe":null}}`,
		`{"order":{"address":{"street":"x"},"kind":"order","pay":{"number":"4"},"maybe":"2026-01-31T12:00:00Z",` +
			`"mixed":[1.0,"1",{"kind":"cash"},[]],"prices":{"b":1.50,"a":2}}}`,
	} {
		form := Model(json.RawMessage(payment))
		values, notices, err := form.Parse(json.RawMessage(args))
		if err != nil || strings.Contains(args, "[]") != (len(notices) == 1) {
			t.Fatalf("Parse(%s): %v, notices %v", args, err, notices)
		}
		if got, errs := form.Encode(overTheWire(t, values)); string(got) != args || len(errs) > 0 {
			t.Errorf("JSON through the form = %s, %v, want %s", got, errs, args)
		}
	}
}

func TestConstantsAndNestedDefaultsAreSetAtTheStart(t *testing.T) {
	form := Model(json.RawMessage(payment))
	got, errs := form.Encode(form.Start())
	if want := `{"order":{"address":{"country":"CH"},"kind":"order","maybe":null}}`; string(got) != want || len(errs) > 0 {
		t.Errorf("Encode(Start) = %s, %v, want %s", got, errs, want)
	}
	optional := Model(tool(`{"const":"x"}`, false))
	if got, _ := optional.Encode(optional.Start()); string(got) != `{}` {
		t.Errorf("an optional constant starts as %s, want it unset", got)
	}
}

func TestAVariantIsChosenByItsConstant(t *testing.T) {
	s := tool(`{"oneOf":[{"type":"object","properties":{"t":{"const":"a"},"x":{"type":"string"}},"required":["t","x"]},
	  {"type":"object","properties":{"t":{"const":"b"},"x":{"type":"string"}},"required":["t"]}]}`, true)
	f := one(t, s)
	if f.Variants[0].Label != "t: a" || f.Variants[1].Label != "t: b" {
		t.Errorf("variants %q and %q, want them named by their constants", f.Variants[0].Label, f.Variants[1].Label)
	}
	for args, want := range map[string]int{`{"t":"a","x":"1"}`: 0, `{"t":"b","x":"1"}`: 1, `{"t":"b"}`: 1} {
		if v, ok := render(f, json.RawMessage(args)); !ok || v.Variant != want {
			t.Errorf("variant of %s = %d, %t, want %d", args, v.Variant, ok, want)
		}
	}
	got, errs := Model(s).EncodeAnyway(Value{Items: []Value{{Name: "v", State: Set, Variant: 7}}})
	if len(errs) != 1 || errs[0].Field != "v" {
		t.Errorf("a variant that does not exist = %s, %v, want an error", got, errs)
	}
}

func TestAChoiceOfRequiredNamesKeepsTheForm(t *testing.T) {
	form := Model(json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},
	  "anyOf":[{"required":["a"]},{"required":["b"]}]}`))
	if form.Mode != ModeForm || len(form.Fields) != 2 {
		t.Errorf("Model = %s %q with %d fields, want a form of two", form.Mode, form.Reason, len(form.Fields))
	}
}

func TestStructuresThatContainThemselvesAreDefinitions(t *testing.T) {
	tree := json.RawMessage(`{"$defs":{"node":{"type":"object","properties":{"name":{"type":"string"},
	  "left":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},"must":{"$ref":"#/$defs/node"},
	  "kids":{"type":"array","items":{"$ref":"#/$defs/node"}},
	  "value":{"$ref":"#/$defs/value"}},"required":["name","must"]},
	  "value":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/value"}},
	    {"type":"object","additionalProperties":{"$ref":"#/$defs/value"}},{"$ref":"#/$defs/value"}]}},
	  "type":"object","properties":{"root":{"$ref":"#/$defs/node"}}}`)
	form := Model(tree)
	if form.Mode != ModeForm || len(form.Definitions) != 2 {
		t.Fatalf("Model = %s %q with %d definitions, want a form with two", form.Mode, form.Reason, len(form.Definitions))
	}
	sent, err := json.Marshal(form)
	if err != nil || len(sent) > 5000 {
		t.Errorf("the form has %d bytes (%v), want it without repetition", len(sent), err)
	}
	trip(t, tree, `{"root":{"name":"a","left":null,"must":{"name":"b","kids":[{"name":"c","left":{"name":"d"}}]},`+
		`"value":["x",{"k":[["y"]]}]}}`)
	deep := `{"root":` + strings.Repeat(`{"name":"n","left":`, 200) + `null` + strings.Repeat(`}`, 200) + `}`
	trip(t, tree, deep)
}

func TestModelIsBoundedForHostileSchemas(t *testing.T) {
	wide := make([]string, 0, 60)
	for i := range 60 { // each level has each lower level ten times
		var properties []string
		for p := range 10 {
			properties = append(properties, `"p`+string(rune('a'+p))+`":{"$ref":"#/$defs/d`+string(rune('A'+min(i+1, 59)))+`"}`)
		}
		wide = append(wide, `"d`+string(rune('A'+i))+`":{"type":"object","required":["pa"],"properties":{`+
			strings.Join(properties, ",")+`}}`)
	}
	begun := time.Now()
	form := Model(json.RawMessage(`{"properties":{"v":{"$ref":"#/$defs/dA"}},"$defs":{` + strings.Join(wide, ",") + `}}`))
	sent, err := json.Marshal(form)
	if took := time.Since(begun); took > 10*time.Second || err != nil || len(sent) > 4<<20 {
		t.Errorf("a form of %d bytes after %s (%v), want a bounded one", len(sent), took, err)
	}
}

func TestPlainTextIsAStringWhereAnyValueIsAllowed(t *testing.T) {
	anything := &Field{Name: "v", Kind: KindJSON}
	for text, want := range map[string]string{"item1": `"item1"`, "42": "42", `"42"`: `"42"`, " 1.0 ": "1.0",
		"two words": `"two words"`, "null": "null", "[1": "", `{"a"`: "", `"x`: "", "": "", "  ": ""} {
		got, err := Convert(anything, text)
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("Convert(%q) = %s, %v, want %s", text, got, err, want)
		}
	}
	if got, err := Convert(&Field{Kind: KindJSON, Reason: "a tuple"}, "item1"); err == nil {
		t.Errorf("Convert to a tuple = %s, want an error", got)
	}
}

func TestOnlyNumbersAreTrimmed(t *testing.T) {
	for kind, want := range map[Kind]string{KindInteger: "42", KindNumber: "42", KindString: `" 42 "`, KindBoolean: ""} {
		if got, err := Convert(&Field{Kind: kind}, " 42 "); string(got) != want {
			t.Errorf("Convert to %s = %s, %v, want %s", kind, got, err, want)
		}
	}
}

// Two values of an enum that are typed the same way are kept apart.
func TestEnumOfEqualTexts(t *testing.T) {
	s := tool(`{"enum":[1,"1",true,"true",{"a":1}]}`, false)
	for _, args := range []string{`{"v":1}`, `{"v":"1"}`, `{"v":true}`, `{"v":"true"}`, `{"v":{"a":1}}`} {
		trip(t, s, args)
	}
	sends(t, s, []Value{{Name: "v", State: Set, Text: "1", JSON: `"1"`}}, `{"v":"1"}`)
	sends(t, s, []Value{{Name: "v", State: Set, Text: "true", JSON: `"1"`}}, `{"v":true}`) // another one was chosen by its text
}

// Properties whose names match a pattern have free names, with the schema of the pattern if there is only one.
func TestPatternProperties(t *testing.T) {
	for _, test := range []struct {
		schema string
		kind   Kind
	}{
		{`{"type":"object","patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}`, KindInteger},
		{`{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x-":{"type":"integer"}}}`, KindInteger},
		{`{"patternProperties":{"^x-":{"type":"integer"},"^y-":{"type":"string"}}}`, KindJSON},
		{`{"type":"object","patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":{"type":"string"}}`, KindJSON},
	} {
		f := one(t, tool(test.schema, false))
		if f.Kind != KindObject || !f.Open || f.Items == nil || f.Items.Kind != test.kind {
			t.Errorf("field of %s = %s, open %t, items %+v", test.schema, f.Kind, f.Open, f.Items)
		}
		if form := Model(json.RawMessage(test.schema)); form.Items == nil || form.Items.Kind != test.kind {
			t.Errorf("items of %s = %+v", test.schema, form.Items)
		}
		trip(t, tool(test.schema, false), `{"v":{"x-1":5}}`)
	}
}
