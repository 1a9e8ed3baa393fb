package cases

import (
	"encoding/json"
	"testing"
)

// TestFormats expects a text that does not match its format to be neither valid nor invalid, and all cases to be valid or
// invalid if the schema's own value does not match its format.
func TestFormats(t *testing.T) {
	for format, matches := range map[string]string{
		`"date"`: "2024-02-29", `"date-time"`: "2024-02-29T10:00:00+02:00", `"time"`: "10:00:00Z", `"email"`: "a@b.example",
		`"idn-email"`: "a@b.example", `"uri"`: "urn:x:y", `"url"`: "http://b.example", `"ipv4"`: "192.0.2.7",
		`"uuid"`: "123e4567-e89b-12d3-a456-426614174111", `"date","default":"today"`: "yesterday", `"color"`: "red",
	} {
		g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"v":{"type":"string","format":`+format+
			`}},"required":["v"]}`), 1, Care{})
		if err != nil {
			t.Fatal(err)
		}
		known := format != `"color"` && format != `"date","default":"today"`
		for text, allowed := range map[string]bool{`"` + matches + `"`: true, `"not of the format"`: !known} {
			c := Case{Tool: "work", Arguments: json.RawMessage(`{"v":` + text + `}`)}
			if g.Validate(&c); c.Allowed != allowed || c.Unclear == allowed || !c.MayBeValid() {
				t.Errorf("format %s, %s: allowed %v, unclear %v; expected allowed %v", format, text, c.Allowed, c.Unclear, allowed)
			}
		}
		c := Case{Tool: "work", Arguments: json.RawMessage(`{"v":1}`)}
		if g.Validate(&c); c.MayBeValid() {
			t.Errorf("format %s: a number may be valid, expected a string", format)
		}
	}
}
