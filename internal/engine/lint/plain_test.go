package lint

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// TestPlainData holds the shortcut around the compiler to its promise: what it lets pass does compile, also as
// draft-07, and it lets nearly everything pass.
func TestPlainData(t *testing.T) {
	total, passed := 0, 0
	for _, c := range readData(t) {
		for i, tool := range c.Tools {
			doc := newDocument("/inputSchema", get(tool.Raw, "/inputSchema"))
			if total++; !plain(doc) {
				continue
			}
			if passed++; i%4 != 0 {
				continue // a quarter is enough, and compiling is slow
			}
			if _, err := schema.Compile(doc.Raw, nil); err != nil {
				t.Errorf("%s %s is plain and does not compile: %v", c.Name, get(tool.Raw, "/name"), err)
			}
		}
	}
	if passed*100 < total*90 {
		t.Errorf("%d of %d schemas are plain, want nine tenths", passed, total)
	}
}

func TestPlainRefuses(t *testing.T) {
	for _, raw := range []string{
		`{"type":"strng"}`, `{"type":[]}`, `{"type":["string","string"]}`, `{"type":7}`, `{"required":"a"}`,
		`{"required":["a","a"]}`,
		`{"required":[1]}`, `{"properties":[]}`, `{"properties":{"a":"string"}}`, `{"anyOf":[]}`, `{"anyOf":{}}`,
		`{"items":7}`, `{"enum":"a"}`,
		`{"minLength":-1}`, `{"minLength":1.5}`, `{"minimum":"1"}`, `{"exclusiveMinimum":true}`, `{"pattern":"("}`,
		`{"$ref":"#/gone"}`,
		`{"$ref":"https://example.com"}`, `{"$schema":"https://example.com"}`, `{"$id":"x"}`, `{"title":null}`,
		`{"uniqueItems":1}`,
		`{"properties":{"a":{"$ref":"#/properties/a"}}}`, `{"additionalProperties":"no"}`, `{"description":5}`,
	} {
		if plain(newDocument("", []byte(raw))) {
			t.Errorf("plain(%s), which the compiler may refuse", raw)
		}
	}
}
