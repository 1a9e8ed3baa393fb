package serve

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Object builds a JSON object from its members, sorted by name; a nil member is omitted.
func Object(members map[string]json.RawMessage) json.RawMessage {
	size := 2
	for name, value := range members {
		size += len(name) + len(value) + 4
	}
	var few [16]string // most objects have no more members, so no allocation is needed
	names := few[:0]
	for name, value := range members {
		if value != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	b := append(make([]byte, 0, size), '{')
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(rawjson.AppendQuote(b, name), ':')
		b = append(b, members[name]...)
	}
	return append(b, '}')
}

// With returns the members with some of them replaced.
func With(members map[string]json.RawMessage, name string, value json.RawMessage) map[string]json.RawMessage {
	changed := maps.Clone(members)
	if changed == nil {
		changed = map[string]json.RawMessage{}
	}
	changed[name] = value
	return changed
}

// Text returns the content of a JSON string; "" for anything else.
func Text(value json.RawMessage) string {
	s, _ := schema.Text(value)
	return s
}

// SetText replaces a string at a location in a document; if it is missing, the document stays unchanged.
func SetText(doc json.RawMessage, pointer, text string) json.RawMessage {
	changed, err := schema.Apply(doc, []finding.Edit{{Pointer: pointer, Value: rawjson.Quote(text)}})
	if err != nil {
		return doc
	}
	return changed
}
