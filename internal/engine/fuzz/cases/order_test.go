package cases

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestFirstCases expects the most valuable cases first: a slow server gets only a few calls of each tool.
func TestFirstCases(t *testing.T) {
	for input, want := range map[string][]string{
		`{"type":"object","properties":{"name":{"type":"string"},"note":{"type":"string"},"n":{"type":"integer"},` +
			`"tags":{"type":"array","items":{"type":"string"}}},"required":["name"]}`: {
			`{"name":"text"}`, `{"name":"text","note":"text","n":2,"tags":["text"]}`, `{"name":""}`},
		`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`: {`{"q":"text"}`, `{"q":""}`,
			`{"q":"Zoë 日本"}`, `{"q":"text"}`, `{"q":"` + strings.Repeat("a", backtrackLength) + `!"}`},
		// the limits of the schema apply
		`{"type":"object","properties":{"q":{"type":"string","minLength":1,"maxLength":3}},"required":["q"]}`: {`{"q":"tex"}`,
			`{"q":"x"}`, `{"q":"ë"}`},
		`{"type":"object","properties":{"a":{"type":"string","format":"date"}}}`: {`{}`, `{"a":"2025-01-31"}`},
		`{"type":"object","properties":{"a":{"const":1},"b":{"const":2}},"minProperties":2}`: {`{"a":1,"b":2}`,
			`{"a":1,"b":2}`},
		`{"type":"object"}`: {`{}`, `{}`},
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"anyOf":[{"type":"string"},{"type":"null"}],` +
			`"default":"de"}},"required":["a"]}`: {`{"a":"text"}`, `{"a":"text","b":"de"}`, `{"a":""}`, `{"a":"text","b":null}`},
	} {
		g, err := NewGenerator("work", json.RawMessage(input), 1, Care{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for range want {
			got = append(got, string(g.Next().Arguments))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\ngot      %s\nexpected %s", input, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
}

// TestEarlyCases expects every empty value, every limit and something of each kind among the first cases of a tool.
func TestEarlyCases(t *testing.T) {
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"},`+
		`"n":{"type":"integer","minimum":1,"maximum":9},"tags":{"type":"array","items":{"type":"string"}}},`+
		`"required":["name","n"]}`), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	g.Mention([]string{"lisbon"})
	var all []string
	kinds := map[Kind]bool{}
	for range 33 { // of nine tools in a check
		c := g.Next()
		all = append(all, string(c.Arguments))
		kinds[c.Kind] = true
	}
	for early, before := range map[string]int{`{"name":"","n":2,"tags":["text"]}`: 6, `{"name":"text","n":2,"tags":[]}`: 6,
		`{"name":"text","n":2,"tags":[""]}`: 6, `{"name":"lisbon","n":2,"tags":["text"]}`: 8,
		`{"name":"Zoë 日本","n":2,"tags":["text"]}`: 10, `{"name":"` + strings.Repeat("a", backtrackLength) +
			`!","n":2,"tags":["text"]}`: 20, `{"n":2,"tags":["text"]}`: 33, `{"name":"text","n":10,"tags":["text"]}`: 33} {
		if at := slices.Index(all, early); at < 0 || at >= before {
			t.Errorf("%s is case %d, expected among the first %d: %s", early, at, before, strings.Join(all, " "))
		}
	}
	for _, kind := range []Kind{Valid, Boundary, NearMiss, AgentMistake} {
		if !kinds[kind] {
			t.Errorf("no case is %s", kind)
		}
	}
}
