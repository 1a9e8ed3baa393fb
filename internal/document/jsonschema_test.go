package document

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The schema says of a file what the decoder says of it.
func TestSchemaAgreesWithTheDecoder(t *testing.T) {
	text := Schema("https://example.com/fleet.json", "A fleet", fleet{})
	compiled, err := schema.Compile(text, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for file, right := range map[string]bool{
		"name: n": true, "name: 5": true, "mood: calm": false, "name: n\nmood: calm": true,
		"name: n\nmood: mild": false,
		"name: n\nsize: 1":    true, "name: n\nsize: x": false, "name: n\nweight: 1.5": true,
		"name: n\nready: true":  true,
		"name: n\nready: maybe": false,
		"name: n\nafter: 30s":   true, "name: n\nafter: 1h30m": true, "name: n\nafter: soon": false,
		"name: n\nafter: 30":    false,
		"name: n\ntags: [a, b]": true, "name: n\nlabels: {a: b}": true, "name: n\nlabels: [a]": false,
		"name: n\nunknown: 1":         false,
		"name: n\nships: [{name: a}]": true, "name: n\nships: [{}]": false,
		"name: n\nships: [{name: a, masts: 3}]": false, "name: n\nflag: {name: a}": true,
		"name: n\nraw: [1, {a: b}]": true, "name: n\nnode: x": true, "name: n\nspeed: 12kn": true,
		"name: n\nnote: hi": true,
	} {
		bySchema := len(compiled.Validate(parse(t, file).JSON())) == 0
		byDecoder := len(decode(t, file, &fleet{})) == 0
		if bySchema != right || byDecoder != right {
			t.Errorf("%q is right by the schema: %v, by the decoder: %v; want %v", file, bySchema, byDecoder, right)
		}
	}
}

// What stands in the schema for people and editors.
func TestSchemaText(t *testing.T) {
	text := Schema("https://example.com/fleet.json", "A fleet", fleet{})
	var read struct {
		ID         string `json:"$id"`
		Title      string
		Properties map[string]struct {
			Description string
			Enum        []string
			Ref         string `json:"$ref"`
			Items       struct {
				Ref string `json:"$ref"`
			}
		}
		Required []string
		Defs     map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.ID != "https://example.com/fleet.json" || read.Title != "A fleet" ||
		strings.Join(read.Required, ",") != "name" {
		t.Errorf("$id %q, title %q, required %v", read.ID, read.Title, read.Required)
	}
	if p := read.Properties["name"]; p.Description != "What it is called." {
		t.Errorf("name is described as %q", p.Description)
	}
	if p := read.Properties["mood"]; strings.Join(p.Enum, ",") != "calm,wild" {
		t.Errorf("mood can be %v, want calm and wild", p.Enum)
	}
	if read.Properties["ships"].Items.Ref != "#/$defs/ship" || read.Properties["flag"].Ref != "#/$defs/ship" ||
		len(read.Defs) != 1 {
		t.Errorf("ships %+v, flag %+v, %d definitions; want one definition of a ship for both",
			read.Properties["ships"], read.Properties["flag"], len(read.Defs))
	}
	if _, old := read.Properties["boats"]; old || len(read.Properties) != 14 {
		t.Errorf("%d properties; want all but the old name boats", len(read.Properties))
	}
}
