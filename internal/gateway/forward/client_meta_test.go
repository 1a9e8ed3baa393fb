package forward

import (
	"encoding/json"
	"testing"
)

// The capabilities of one client are never those of another, however their calls follow each other.
func TestModernCapabilities(t *testing.T) {
	var all modernCapabilities
	want := map[string]string{
		`{}`:                `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
		`{"sampling":{}}`:   `{"extensions":{"io.modelcontextprotocol/tasks":{}},"sampling":{}}`,
		`{"tasks":{"a":1}}`: `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`,
		`{"extensions":{"b/c":{}},"roots":{}}`: `{"extensions":{"b/c":{},"io.modelcontextprotocol/tasks":{}},` +
			`"roots":{}}`,
	}
	for range 3 {
		for capabilities, expected := range want {
			for range 2 {
				if got := all.of(json.RawMessage(capabilities)); string(got) != expected {
					t.Errorf("%s became %s, want %s", capabilities, got, expected)
				}
			}
		}
	}
}
