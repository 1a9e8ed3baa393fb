package forward

import (
	"encoding/json"
	"testing"
)

// The capabilities of one client are never those of another, however their calls follow each other.
func TestModernCapabilities(t *testing.T) {
	var all, plain modernCapabilities
	for range 3 {
		for _, c := range []struct{ client, tasks, plain string }{
			{`{}`, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, `{}`},
			{`{"sampling":{}}`, `{"extensions":{"io.modelcontextprotocol/tasks":{}},"sampling":{}}`, `{"sampling":{}}`},
			{`{"tasks":{"a":1}}`, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, `{}`},
			{`{"extensions":{"b/c":{}},"roots":{}}`, `{"extensions":{"b/c":{},"io.modelcontextprotocol/tasks":{}},"roots":{}}`,
				`{"extensions":{"b/c":{}},"roots":{}}`},
		} {
			for range 2 {
				if got := all.of(json.RawMessage(c.client), true); string(got) != c.tasks {
					t.Errorf("%s became %s, want %s", c.client, got, c.tasks)
				}
				if got := plain.of(json.RawMessage(c.client), false); string(got) != c.plain {
					t.Errorf("without tasks, %s became %s, want %s", c.client, got, c.plain)
				}
			}
		}
	}
}
