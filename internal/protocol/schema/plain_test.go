package schema

import (
	"encoding/json"
	"testing"
)

// TestPlain wants what SDKs declare for optional arguments to be reduced to its type.
func TestPlain(t *testing.T) {
	r := NewResolver(json.RawMessage(`{"$defs":{"Order":{"enum":["asc","desc"],"type":"string","title":"Order"},"Self":{"$ref":"#/$defs/Self"}}}`))
	for raw, want := range map[string]string{
		`{"type":"string","description":"d"}`:                                                       `{"type":"string","description":"d"}`,
		`{"type":["string","null"],"default":null}`:                                                 `{"type":"string"}`,
		`{"type":["string","integer","null"]}`:                                                      `{"type":["string","integer","null"]}`,
		`{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"default":null,"title":"Limit"}`: `{"title":"Limit","type":"integer","minimum":1}`,
		`{"anyOf":[{"$ref":"#/$defs/Order"},{"type":"null"}],"title":"How"}`:                        `{"title":"How","enum":["asc","desc"],"type":"string"}`,
		`{"oneOf":[{"const":null},{"type":"boolean"}]}`:                                             `{"type":"boolean"}`,
		`{"$ref":"#/$defs/Order","default":"asc"}`:                                                  `{"default":"asc","enum":["asc","desc"],"type":"string","title":"Order"}`,
		`{"enum":["a",null]}`:                                                                       `{"enum":["a"]}`,
		`{"anyOf":[{"type":"integer"},{"type":"string"}]}`:                                          `{"anyOf":[{"type":"integer"},{"type":"string"}]}`,
		`{"anyOf":[{"type":"null"}]}`:                                                               `{"anyOf":[{"type":"null"}]}`,
		`{"$ref":"#/$defs/Self"}`:                                                                   `{"$ref":"#/$defs/Self"}`,
		`{"$ref":"#/$defs/Missing"}`:                                                                `{"$ref":"#/$defs/Missing"}`,
		`true`:                                                                                      `true`,
	} {
		if got := string(r.Plain(json.RawMessage(raw))); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}
