package change

import (
	"encoding/json"
	"testing"
)

// Calls that worked and are rejected now are listed; those that never worked are not.
func TestCalls(t *testing.T) {
	before := &Surface{Tools: []json.RawMessage{
		tool("search", `{"type":"object","properties":{"limit":{"type":"integer","maximum":100}}}`),
		tool("gone", `{"type":"object"}`)},
		Prompts:   []json.RawMessage{json.RawMessage(`{"name":"greet","arguments":[{"name":"who"}]}`)},
		Resources: []json.RawMessage{json.RawMessage(`{"uri":"a:b"}`)}}
	after := &Surface{Tools: []json.RawMessage{
		tool("search", `{"type":"object","properties":{"limit":{"type":"integer","maximum":50}},`+
			`"additionalProperties":false}`)},
		Prompts: []json.RawMessage{json.RawMessage(`{"name":"greet","arguments":[{"name":"who","required":true}]}`)}}
	for _, test := range []struct {
		method, name, arguments string
		fails                   bool
	}{
		{"tools/call", "search", `{"limit":80}`, true},
		{"tools/call", "search", `{"limit":20}`, false},
		{"tools/call", "search", `{"limit":101}`, false}, // was invalid
		{"tools/call", "search", `{"other":1}`, true},    // undeclared, but sent
		{"tools/call", "search", ``, false},
		{"tools/call", "gone", `{}`, true},
		{"tools/call", "never", `{}`, false},
		{"prompts/get", "greet", `{}`, true},
		{"prompts/get", "greet", `{"who":"x"}`, false},
		{"resources/read", "a:b", ``, true},
	} {
		call := Call{Method: test.method, Name: test.name, Arguments: json.RawMessage(test.arguments)}
		if test.arguments == "" {
			call.Arguments = nil
		}
		if found := Calls(before, after, []Call{call}); (len(found) > 0) != test.fails {
			t.Errorf("%s %s %s: %v, want failing: %t", test.method, test.name, test.arguments, found, test.fails)
		}
	}
}
