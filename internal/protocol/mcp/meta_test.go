package mcp

import (
	"encoding/json"
	"testing"
)

func TestWithMeta(t *testing.T) {
	const more = `{"a":1,"b":{"c":[]}}`
	for params, want := range map[string]string{
		``:                                     `{"_meta":{"a":1,"b":{"c":[]}}}`,
		`{}`:                                   `{"_meta":{"a":1,"b":{"c":[]}}}`,
		`{"x":1.0, "y":1e400}`:                 `{"x":1.0, "y":1e400,"_meta":{"a":1,"b":{"c":[]}}}`,
		`{"x":"_meta"}`:                        `{"x":"_meta","_meta":{"a":1,"b":{"c":[]}}}`,
		`{"_meta":{},"x":1}`:                   `{"_meta":{"a":1,"b":{"c":[]}},"x":1}`,
		`{"_meta": {"a":2} , "x":1}`:           `{"_meta": {"a":2,"b":{"c":[]}} , "x":1}`,
		`{"\u005fmeta":{"b":null}}`:            `{"\u005fmeta":{"b":null,"a":1}}`,
		`{"_meta":{"a":3,"b":4},"_meta":{}}`:   `{"_meta":{"a":3,"b":4},"_meta":{"a":1,"b":{"c":[]}}}`,
		`{"_meta":{},"_meta":{"a":3,"b":4}}`:   `{"_meta":{},"_meta":{"a":3,"b":4}}`,
		`{"arguments":{"_meta":{"a":"mine"}}}`: `{"arguments":{"_meta":{"a":"mine"}},"_meta":{"a":1,"b":{"c":[]}}}`,
		`[1]`:                                  `[1]`,
	} {
		if got := string(withMeta(json.RawMessage(params), json.RawMessage(more))); got != want {
			t.Errorf("withMeta(%s) = %s, want %s", params, got, want)
		}
	}
}
