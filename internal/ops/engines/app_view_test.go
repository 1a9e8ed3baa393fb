package engines

import (
	"encoding/json"
	"testing"
)

// Arguments that no tool would miss are named; where a schema is open, nothing is known about them.
func TestUndeclaredArguments(t *testing.T) {
	for _, c := range []struct{ schema, arguments, want string }{
		{`{"properties":{"code":{},"height":{}}}`, `{"scene":1,"code":2,"a":3}`, "a, scene: it declares code, height"},
		{`{"properties":{"code":{}}}`, `{"code":2}`, ""},
		{`{"properties":{"code":{}},"additionalProperties":true}`, `{"scene":1}`, ""},
		{`{"properties":{"code":{}},"anyOf":[{"properties":{"scene":{}}}]}`, `{"scene":1}`, ""},
		{`{}`, `{"scene":1}`, ""},
	} {
		tool := json.RawMessage(`{"name":"t","inputSchema":` + c.schema + `}`)
		if got := undeclared(tool, json.RawMessage(c.arguments)); got != c.want {
			t.Errorf("%s with %s: %q, want %q", c.schema, c.arguments, got, c.want)
		}
	}
}
