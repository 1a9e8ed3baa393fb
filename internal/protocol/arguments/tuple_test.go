package arguments

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTuple(t *testing.T) {
	for _, schema := range []string{
		`{"type":"array","prefixItems":[{"type":"string"},{"type":"number","title":"Weight"}],"minItems":2,"maxItems":2}`,
		`{"type":"array","prefixItems":[{"type":"string"},{"type":"number","title":"Weight"}],"minItems":2,"items":false}`,
		`{"type":"array","items":[{"type":"string"},{"type":"number","title":"Weight"}],"minItems":2,"additionalItems":false}`,
		`{"type":"array","items":[{"type":"string"},{"type":"number","title":"Weight"}],"minItems":2}`,
		`{"prefixItems":[{"type":"string"},{"type":"number","title":"Weight"},{"type":"null"}],"minItems":2,"maxItems":2}`,
	} {
		s := tool(schema, false)
		if strings.Contains(schema, `"items":[`) {
			s = json.RawMessage(`{"$schema":"http://json-schema.org/draft-07/schema#",` + string(s[1:]))
		}
		f := one(t, s)
		if f.Kind != KindTuple || len(f.Fields) != 2 || f.Fields[0].Label != "[0]" || f.Fields[1].Label != "Weight" ||
			f.Fields[1].Kind != KindNumber || !f.Fields[1].Required {
			t.Fatalf("field of %s = %+v", schema, f)
		}
		trip(t, s, `{"v":["a",1.0]}`)
		trip(t, s, `{"v":["a"]}`)
		trip(t, s, `{"v":[]}`)
		sends(t, s, []Value{{Name: "v", State: Set, Items: []Value{text("1", "2"), text("0", "b")}}}, `{"v":["b",2]}`)
		sends(t, s, []Value{{Name: "v", State: Unset, Items: []Value{text("0", "b")}}}, `{}`)
		const long = `{"v":["a",1.0,2]}` // kept, although the form cannot show it
		if v, notices, _ := Model(s).Parse(json.RawMessage(long)); v.Items[0].State != Raw || len(notices) != 1 {
			t.Errorf("Parse(%s) = %+v, %v", long, v, notices)
		}
		gap := Value{Items: []Value{{Name: "v", State: Set, Items: []Value{{Name: "0", State: Unset}, text("1", "2")}}}}
		got, errs := Model(s).EncodeAnyway(gap)
		if len(errs) != 1 || errs[0].Field != "v[0]" || errs[0].Message != "v[0]: missing, expected string" ||
			string(got) != `{"v":[null,2]}` {
			t.Errorf("a gap = %s, %+v", got, errs)
		}
	}
}

// More items than positions can be entered as JSON only.
func TestTupleWithMoreItems(t *testing.T) {
	for _, schema := range []string{
		`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`,
		`{"type":"array","prefixItems":[{"type":"string"}],"maxItems":3}`,
		`{"type":"array","prefixItems":[]}`,
	} {
		if f := one(t, tool(schema, false)); f.Kind != KindJSON || !strings.Contains(f.Reason, "more items") {
			t.Errorf("field of %s = %s %q", schema, f.Kind, f.Reason)
		}
	}
}

func TestUnionOfTuples(t *testing.T) {
	s := tool(`{"anyOf":[{"type":"array","prefixItems":[{"type":"string"}],"maxItems":1},{"type":"array","prefixItems":[{"type":"integer"},`+
		`{"type":"integer"}],"minItems":2,"maxItems":2}]}`, false)
	for raw, want := range map[string]int{`["a"]`: 0, `[1,2]`: 1, `["a","b"]`: 1} {
		v, _, err := Model(s).Parse(json.RawMessage(`{"v":` + raw + `}`))
		if err != nil || v.Items[0].Variant != want {
			t.Errorf("%s is shown as variant %d, want %d", raw, v.Items[0].Variant, want)
		}
	}
}

// Optional[list] = None in Python: null is the default, so it is shown, can be chosen and is not held back. It is also
// not held back where the list cannot be omitted.
func TestNullListThatIsMeant(t *testing.T) {
	for _, test := range []struct {
		schema   string
		nullable bool
	}{
		{`{"properties":{"v":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}],"default":null}}}`, true},
		{`{"properties":{"v":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}},"required":["v"]}`, true},
		{`{"properties":{"v":{"type":["array","null"],"prefixItems":[{"type":"integer"}],"items":false,"default":null}}}`, true},
		{`{"properties":{"v":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}}}`, false},
		{`{"properties":{"v":{"type":["array","null"],"items":{"type":"integer"},"default":[1]}}}`, false},
	} {
		form := Model(json.RawMessage(test.schema))
		if f := form.Fields[0]; f.Nullable != test.nullable {
			t.Errorf("%s: nullable = %t", test.schema, f.Nullable)
		}
		if e := examine(t, json.RawMessage(test.schema), `{"v":null}`); e.OK() != test.nullable {
			t.Errorf("%s: null is held back = %t, cautions %v", test.schema, !e.OK(), e.Cautions)
		}
	}
	byDefault := Model(json.RawMessage(`{"properties":{"v":{"type":["array","null"],"items":{"type":"integer"},"default":null}}}`))
	if raw, errs := byDefault.Encode(byDefault.Start()); string(raw) != `{"v":null}` || len(errs) > 0 {
		t.Errorf("Start = %s, %v, want the default", raw, errs)
	}
}

// Text at a position is corrected by the type of the position.
func TestTupleCorrections(t *testing.T) {
	s := tool(`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, false)
	e := examine(t, s, `{"v":["1","2"]}`)
	if len(e.Fixes) != 1 || e.Fixes[0].Message != `v[1]: send 2 instead of "2"` {
		t.Errorf("fixes = %+v", e.Fixes)
	}
}
