package conform

import (
	"encoding/json"
	"testing"
)

// TestAcceptsNoArguments finds tools that require an argument without listing it in required.
func TestAcceptsNoArguments(t *testing.T) {
	for input, want := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":"string"}}}`:                          true,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`:         false,
		`{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`:               false,
		`{"type":"object","minProperties":1}`:                                             false,
		`{"type":"object","anyOf":[{"required":["a"]},{"properties":{"b":{"const":1}}}]}`: true,
	} {
		tool := Tool{Definition: json.RawMessage(`{"name":"t","inputSchema":` + input + `}`)}
		if got := acceptsNoArguments(tool); got != want {
			t.Errorf("%s: got %v, expected %v", input, got, want)
		}
	}
}
