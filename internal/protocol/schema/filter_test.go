package schema

import (
	"encoding/json"
	"testing"
)

func TestFilter(t *testing.T) {
	keep := func(name string, value json.RawMessage) (json.RawMessage, bool) {
		switch name {
		case "drop":
			return nil, false
		case "change":
			return json.RawMessage(`"changed"`), true
		}
		return value, true
	}
	for _, c := range []struct{ in, want string }{
		{`{}`, `{}`},
		{` { "a" : 1 , "b" : [2] } `, ` { "a" : 1 , "b" : [2] } `},
		{`{"drop":1}`, `{}`},
		{`{"drop":1,"drop":2}`, `{}`},
		{`{"drop":1,"a":2}`, `{"a":2}`},
		{`{"a":2,"drop":1}`, `{"a":2}`},
		{`{"a":1,"drop":{"b":[1,"}"]},"c":3}`, `{"a":1,"c":3}`},
		{`{"dr\u006fp":1,"a":2}`, `{"a":2}`},
		{"{\n  \"drop\": 1,\n  \"a\": 2,\n  \"drop\": 3\n}", "{\n  \"a\": 2\n}"},
		{`{"a":1,"change" : {"deep":true},"drop":0}`, `{"a":1,"change" : "changed"}`},
		{`{"a":1e400,"a":"\ud800","drop":0}`, `{"a":1e400,"a":"\ud800"}`},
	} {
		got, err := Filter(json.RawMessage(c.in), keep)
		if err != nil || string(got) != c.want {
			t.Errorf("Filter(%s) = %s (%v), want %s", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{``, `[]`, `{`, `{"a":1,}`, `{"a":1}x`, `{"a" 1}`} {
		if got, err := Filter(json.RawMessage(in), keep); err == nil {
			t.Errorf("Filter(%s) = %s, want an error", in, got)
		}
	}
}

// TestFilterCopies checks that a filtered object shares no memory that the original may still be read from.
func TestFilterCopies(t *testing.T) {
	in := json.RawMessage(`{"drop":1,"a":2} `)
	if _, err := Filter(in, func(string, json.RawMessage) (json.RawMessage, bool) { return nil, false }); err != nil {
		t.Fatal(err)
	}
	if string(in) != `{"drop":1,"a":2} ` {
		t.Errorf("the original is now %s", in)
	}
}
