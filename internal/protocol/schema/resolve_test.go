package schema

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestResolveFoldsWhatApplies(t *testing.T) {
	for _, test := range []struct{ name, schema, want string }{
		{"its own keywords win as annotations", `{"title":"mine","allOf":[{"title":"theirs","type":"string"}]}`,
			`{"title":"mine","type":"string"}`},
		{"integer and number", `{"allOf":[{"type":"integer"},{"type":"number"}]}`, `{"type":"integer"}`},
		{"number and integer", `{"allOf":[{"type":"number"},{"type":["integer","string"]}]}`, `{"type":"integer"}`},
		{"no common type", `{"allOf":[{"type":"string"},{"type":"null"}]}`, `{"type":[]}`},
		{"the tighter bounds",
			`{"minimum":1,"maximum":9,"allOf":[{"minimum":5,"maximum":7},{"minimum":2,"maximum":8}]}`,
			`{"minimum":5,"maximum":7}`},
		{"bounds are compared exactly", `{"minimum":9007199254740992,"allOf":[{"minimum":9007199254740993}]}`,
			`{"minimum":9007199254740993}`},
		{"required adds up", `{"required":["a"],"allOf":[{"required":["b","a"]}]}`, `{"required":["a","b"]}`},
		{"enum is what both allow", `{"enum":["a","b"],"allOf":[{"enum":["b","c"]}]}`, `{"enum":["b"]}`},
		{"properties add up", `{"properties":{"a":{"type":"string"}},"allOf":[{"properties":{"b":true,` +
			`"a":{"minLength":1}}}]}`,
			`{"properties":{"a":{"allOf":[{"type":"string"},{"minLength":1}]},"b":true}}`},
		{"each contains stays", `{"contains":{"const":1},"allOf":[{"contains":{"const":2}},{"contains":{"const":1}}]}`,
			`{"contains":{"const":1},"contains":{"const":2}}`},
		{"not either of two", `{"not":{"const":1},"allOf":[{"not":{"const":2}}]}`,
			`{"not":{"anyOf":[{"const":1},{"const":2}]}}`},
		{"false wins", `{"additionalProperties":{},"allOf":[{"additionalProperties":false}]}`,
			`{"additionalProperties":false}`},
		{"false itself", `{"allOf":[false]}`, `{"not":{}}`},
		{"$ref by pointer", `{"$ref":"#/x/a~1b%20c","x":{"a/b c":{"type":"null"}}}`,
			`{"x":{"a/b c":{"type":"null"}},"type":"null"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			n, err := NewResolver(json.RawMessage(test.schema)).Resolve(json.RawMessage(test.schema))
			if got := object(n.Members); err != nil || string(got) != test.want {
				t.Errorf("Resolve = %s, %v, want %s", got, err, test.want)
			}
		})
	}
}

func TestResolverHasABudget(t *testing.T) {
	doc := json.RawMessage(`{"$defs":{"big":{"description":"` + strings.Repeat("x", 1<<20) + `"}}}`)
	resolver := NewResolver(doc)
	for i := range 200 {
		_, err := resolver.Resolve(json.RawMessage(`{"$ref":"#/$defs/big"}`))
		if errors.Is(err, ErrTooManyRefs) {
			return
		}
		if err != nil {
			t.Fatalf("Resolve %d = %v", i, err)
		}
	}
	t.Error("200 MiB were read without end")
}

func TestTheMeterCountsWhatALongChainCosts(t *testing.T) {
	s := compile(t, strings.ReplaceAll(`{"items":`+refChain(1000)+`}`, "#/", "#/items/"), nil)
	few, many := json.RawMessage(`[1,2,3]`), json.RawMessage(`[`+strings.Repeat("1,", 60)+`1]`)
	if got := s.Validate(few); len(got) > 0 {
		t.Errorf("Validate = %v, want none", got)
	}
	if got := s.Validate(many); len(got) != 1 || got[0].Rule != RuleLimit {
		t.Errorf("Validate = %v, want a refusal", got)
	}
}
