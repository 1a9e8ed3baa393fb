package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFlat(t *testing.T) {
	const open = `{"type":"object","properties":{"s":{"type":"string","description":"d"},"n":{"type":"number"},` +
		`"i":{"type":"integer"},"b":{"type":"boolean"},"any":{}},"required":["s"]}`
	closed := strings.TrimSuffix(open, "}") + `,"additionalProperties":false}`
	for _, c := range []struct {
		schema, value string
		want          bool
	}{
		{open, `{"s":"x"}`, true},
		{open, ` { "s" : "x" , "n" : 1, "i": -20, "b": false, "any": null, "more": 1 } `, true},
		{closed, `{"s":"x","more":1}`, false},
		{open, `{"i":1}`, false},
		{open, `{"s":1}`, false},
		{open, `{"s":"x","i":01}`, false},
		{open, `{"s":"x","i":1.0}`, false}, // valid, but not certainly
		{open, `{"s":"\ud800"}`, false},
		{open, `{"s":"x"} {}`, false},
		{open, "{\"s\":\"\x01\"}", false},
		{open, `{"s":"x","any":{"deep":[]}}`, false},
	} {
		s, err := Compile(json.RawMessage(c.schema), nil)
		if err != nil || s.flat == nil {
			t.Fatalf("%s: not flat (%v)", c.schema, err)
		}
		if got := s.flat.accepts(json.RawMessage(c.value)); got != c.want {
			t.Errorf("%s accepts %s: %v, want %v", c.schema, c.value, got, c.want)
		}
	}
	for _, constrained := range []string{`{"properties":{"a":{"type":"string"}}}`, `true`, `{"type":"array"}`,
		`{"type":"object","properties":{"a":{"type":"string","minLength":1}}}`, `{"type":"object","minProperties":1}`,
		`{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"type":"object","required":["a"]}`,
		`{"type":"object","additionalProperties":{"type":"string"}}`} {
		if s, err := Compile(json.RawMessage(constrained), nil); err != nil || s.flat != nil {
			t.Errorf("%s is flat (%v)", constrained, err)
		}
	}
}

// What a flat schema accepts, the full validation accepts too.
func TestFlatAgreesWithFullValidation(t *testing.T) {
	kinds := []string{`{}`, `{"type":"string"}`, `{"type":"integer"}`, `{"type":"number","default":1}`,
		`{"type":"boolean"}`, `{"type":"null"}`, `{"type":"object"}`}
	fitting := []string{`[]`, `"x"`, `7`, `1.5`, `true`, `null`, `{}`} // a value of each kind
	values := []string{`"x"`, `""`, `"\n"`, `"\x"`, `"ü"`, `0`, `-0`, `00`, `7`, `-12`, `1e2`, `1.5`, `true`, `false`,
		`null`, `nul`, `{}`, `[]`, `999999999999999999`, `-`, ``}
	names := []string{"a", "b", "c", `\u0061`}
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		var properties, members, required []string
		var chosen []int
		for _, name := range names[:3] {
			kind := rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")
			chosen = append(chosen, kind)
			properties = append(properties, fmt.Sprintf("%q:%s", name, kinds[kind]))
			if rapid.Bool().Draw(t, "required") {
				required = append(required, fmt.Sprintf("%q", name))
			}
		}
		if rapid.Bool().Draw(t, "fits") { // otherwise hardly any value is accepted
			for i, name := range names[:3] {
				members = append(members, fmt.Sprintf("%q:%s", name, fitting[chosen[i]]))
			}
		} else {
			for range rapid.IntRange(0, 4).Draw(t, "members") {
				members = append(members, `"`+rapid.SampledFrom(append(names, "z")).Draw(t, "name")+`":`+
					rapid.SampledFrom(values).Draw(t, "value"))
			}
		}
		s, err := Compile(json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s],`+
			`"additionalProperties":%v}`, strings.Join(properties, ","), strings.Join(required, ","),
			rapid.Bool().Draw(t, "open"))), nil)
		if err != nil || s.flat == nil {
			t.Fatalf("not flat (%v)", err)
		}
		value := json.RawMessage("{" + strings.Join(members, ",") + "}")
		if !s.flat.accepts(value) {
			return
		}
		accepted++
		s.flat = nil
		if violations := s.Validate(value); len(violations) > 0 {
			t.Fatalf("%s is accepted, but: %s", value, violations[0].Message)
		}
	})
	if accepted == 0 {
		t.Error("nothing was accepted")
	}
}
