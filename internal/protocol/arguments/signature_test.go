package arguments

import (
	"encoding/json"
	"testing"
)

func TestSignature(t *testing.T) {
	for in, want := range map[string]string{
		`{}`: "()",
		`{"properties":{"a":{"type":"number"},"b":{"type":"array","items":{"type":"string"}}},"required":["a"]}`: "(a: number, b?: string[])",
		`{"properties":{"n":{"$ref":"#/$defs/N"}},"required":["n"],"$defs":{"N":{"type":"object"}}}`:             "(n: object)",
		`{"properties":{"n":{"$ref":"#/$defs/missing"}}}`:                                                        "(n?: any)",
		`{"properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"$ref":"#/$defs/N"}}}`:                           "(n?: any)",
		`{"properties":{"e":{"enum":["a","b"]},"x":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`:              `(e?: "a"|"b", x?: string|null)`,
	} {
		if got := Signature(json.RawMessage(in)); got != want {
			t.Errorf("%s: got %s, expected %s", in, got, want)
		}
	}
}
