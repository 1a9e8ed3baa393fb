package schema

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestSample(t *testing.T) {
	for _, test := range []struct{ name, schema, smallest, typical string }{
		{"empty", `{}`, `{}`, `{}`},
		{"true", `true`, `{}`, `{}`},
		{"scalars", `{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},` +
			`"b":{"type":"boolean"},"z":{"type":"null"}},"required":["s","i","b","z"]}`,
			`{"s":"","i":0,"b":false,"z":null}`, `{"s":"text","i":1,"b":true,"z":null}`},
		{"optional is left out of the smallest", `{"type":"object","properties":{"s":{"type":"string"}}}`, `{}`,
			`{"s":"text"}`},
		{"const and enum", `{"properties":{"c":{"const":1.0},"e":{"enum":["x","y"]}},"required":["c","e"]}`,
			`{"c":1.0,"e":"x"}`, `{"c":1.0,"e":"x"}`},
		{"examples before defaults", `{"properties":{"a":{"type":"string","default":"d","examples":["e"]},` +
			`"b":{"type":"integer","default":7}},"required":["a","b"]}`,
			`{"a":"","b":0}`, `{"a":"e","b":7}`},
		{"a bad default is not taken", `{"properties":{"a":{"type":"integer","default":"no"}},"required":["a"]}`,
			`{"a":0}`, `{"a":1}`},
		{"an invalid default is not taken", `{"properties":{"a":{"type":"integer","minimum":5,"default":1}},` +
			`"required":["a"]}`, `{"a":5}`, `{"a":5}`},
		{"bounds", `{"type":"integer","minimum":10,"exclusiveMaximum":12,"multipleOf":11}`, `11`, `11`},
		{"open interval", `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`, `0.5`, `0.5`},
		{"draft-04 exclusive", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","minimum":5,` +
			`"exclusiveMinimum":true}`, `6`, `6`},
		{"beyond double precision", `{"type":"integer","minimum":9007199254740993,"maximum":9007199254740993}`,
			`9007199254740993`, `9007199254740993`},
		{"length", `{"type":"string","minLength":6,"maxLength":7}`, `"xxxxxx"`, `"textxx"`},
		{"pattern", `{"type":"string","pattern":"^[A-Z]{3}-\\d+$"}`, `"AAA-1"`, `"AAA-1"`},
		{"pattern and length", `{"type":"string","pattern":"^\\d+$","minLength":8,"maxLength":8}`, `"11111111"`,
			`"11111111"`},
		{"pattern with lookahead", `{"type":"string","pattern":"^(?!b)[a-c]+$"}`, `"a"`, `"a"`},
		{"unanchored pattern and length", `{"type":"string","pattern":"ab","minLength":5}`, `"abxxx"`, `"abxxx"`},
		{"format", `{"type":"string","format":"email"}`, `"ada@example.com"`, `"ada@example.com"`},
		{"array", `{"type":"array","items":{"type":"integer"}}`, `[]`, `[1,2,3]`},
		{"short array of numbers", `{"type":"array","items":{"type":"number","maximum":1},"minItems":1,"maxItems":2}`, `[0]`, `[1]`},
		{"minItems and uniqueItems", `{"type":"array","items":{"type":"string"},"minItems":3,"uniqueItems":true}`,
			`["","2","3"]`, `["text","text2","text3"]`},
		{"unique and short", `{"type":"array","items":{"type":"string","pattern":"^[a-z]{1,3}$"},"minItems":3,` +
			`"uniqueItems":true}`, `["a","b","c"]`, `["a","b","c"]`},
		{"unique enum", `{"type":"array","items":{"enum":["a","b"]},"minItems":2,"uniqueItems":true}`, `["a","b"]`,
			`["a","b"]`},
		{"tuple", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2,"items":false}`,
			`["",0]`, `["text",1]`},
		{"contains", `{"type":"array","contains":{"const":5}}`, `[5]`, `[5]`},
		{"two contains", `{"type":"array","allOf":[{"contains":{"const":1}},{"contains":{"const":2}}]}`, `[1,2]`,
			`[1,2]`},
		{"anyOf prefers a value to null", `{"properties":{"a":{"anyOf":[{"type":"null"},{"type":"integer"}]}},` +
			`"required":["a"]}`, `{"a":0}`, `{"a":1}`},
		{"oneOf with a base", `{"type":"object","required":["k"],"oneOf":[{"properties":{"k":{"const":"x"}}},` +
			`{"properties":{"k":{"const":"y"}}}]}`, `{"k":"x"}`, `{"k":"x"}`},
		{"allOf", `{"allOf":[{"required":["a"],"properties":{"a":{"minimum":3}}},` +
			`{"properties":{"a":{"type":"integer"}}}]}`, `{"a":3}`, `{"a":3}`},
		{"$ref", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","required":["b"],` +
			`"properties":{"b":{"$ref":"#/$defs/b"}}},"b":{"type":"integer"}}}`, `{"b":0}`, `{"b":1}`},
		{"anchor and $id", `{"properties":{"a":{"$ref":"#here"},"b":{"$ref":"x"}},"required":["a","b"],` +
			`"$defs":{"h":{"$anchor":"here","const":1},"i":{"$id":"x","const":2}}}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"recursion", `{"type":"object","properties":{"next":{"$ref":"#"},"v":{"type":"integer"}},"required":["v"]}`,
			`{"v":0}`, `{"next":{"next":{"v":1},"v":1},"v":1}`},
		{"undeclared but required", `{"type":"object","required":["x"],"additionalProperties":{"type":"integer"}}`,
			`{"x":0}`, `{"x":1}`},
		{"minProperties", `{"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}}`,
			`{"key1":0,"key2":0}`, `{"key1":1,"key2":1}`},
		{"patternProperties", `{"type":"object","minProperties":1,"patternProperties":{"^x-":{"const":1}},` +
			`"additionalProperties":false}`, `{"x-":1}`, `{"x-":1}`},
		{"dependentRequired", `{"type":"object","properties":{"a":{"const":1},"b":{"const":2}},"required":["a"],` +
			`"dependentRequired":{"a":["b"]}}`, `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"if and then", `{"type":"object","required":["a"],"properties":{"a":{"enum":[1]}},` +
			`"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]}}`, `{"a":1,"b":""}`, `{"a":1,"b":"text"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := compile(t, test.schema, nil)
			for style, want := range map[Style]string{Smallest: test.smallest, Typical: test.typical} {
				got, err := s.Sample(&SampleOptions{Style: style})
				if err != nil || string(got) != want {
					t.Errorf("%s sample = %s, %v, want %s", style, got, err, want)
				}
			}
		})
	}
}

func TestSampleSaysWhyThereIsNone(t *testing.T) {
	for _, schema := range []string{`false`, `{"not":{}}`, `{"type":"integer","minimum":2,"maximum":1}`, `{"enum":[]}`,
		`{"type":"string","pattern":"^a$","minLength":2}`,
		`{"type":"array","items":{"type":"boolean"},"minItems":3,"uniqueItems":true}`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`, `{"type":5}`,
		`{"type":"string","minLength":3,"maxLength":2}`, `{"required":["a"],"additionalProperties":false}`} {
		got, err := Sample(json.RawMessage(schema), nil)
		if !errors.Is(err, ErrNoSample) || len(err.Error()) < 20 {
			t.Errorf("Sample(%s) = %s, %v, want no sample and a reason", schema, got, err)
		}
	}
}

func TestSampleIsDeterministicBySeed(t *testing.T) {
	s := compile(t, `{"type":"array","minItems":5,"items":{"enum":[1,2,3,4,5,6,7,8,9]}}`, nil)
	seen := map[string]bool{}
	for seed := range uint64(20) {
		a, _ := s.Sample(&SampleOptions{Seed: seed})
		b, _ := s.Sample(&SampleOptions{Seed: seed})
		if string(a) != string(b) {
			t.Fatalf("seed %d gives %s and %s", seed, a, b)
		}
		seen[string(a)] = true
	}
	if len(seen) < 10 {
		t.Errorf("20 seeds give %d samples, want variety", len(seen))
	}
}

func TestSampleFillsAllProperties(t *testing.T) {
	got, err := Sample(json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"array","items":{"type":"object",
	  "properties":{"d":{"type":"boolean"},"e":{"type":"null"}}}},"f":{"const":1},"g":false}}`), &SampleOptions{AllProperties: true})
	if want := `{"a":"text","b":1,"c":[{"d":true,"e":null}],"f":1}`; err != nil || string(got) != want {
		t.Errorf("Sample = %s, %v, want %s", got, err, want)
	}
}

// TestSampleDiffers expects different values of properties with the same list of values, unless a default says otherwise.
func TestSampleDiffers(t *testing.T) {
	for rules, want := range map[string]string{
		`{"properties":{"from":{"enum":["A","B"]},"to":{"enum":["A","B"]}},"required":["from","to"]}`:                                      `{"from":"A","to":"B"}`,
		`{"properties":{"from":{"$ref":"#/$defs/h"},"to":{"$ref":"#/$defs/h"}},"required":["from","to"],"$defs":{"h":{"enum":["A","B"]}}}`: `{"from":"A","to":"B"}`,
		`{"properties":{"a":{"enum":["A","B"]},"b":{"enum":["A","C"]}},"required":["a","b"]}`:                                              `{"a":"A","b":"A"}`,
		`{"properties":{"a":{"enum":["A"]},"b":{"enum":["A"]}},"required":["a","b"]}`:                                                      `{"a":"A","b":"A"}`,
		`{"properties":{"a":{"enum":["A","B"]},"b":{"enum":["A","B"],"default":"A"}},"required":["a","b"]}`:                                `{"a":"A","b":"A"}`,
	} {
		got, err := Sample(json.RawMessage(`{"type":"object",`+rules[1:]), nil)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, expected %s", rules, got, err, want)
		}
	}
}
