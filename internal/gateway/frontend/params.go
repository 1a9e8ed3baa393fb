package frontend

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// object builds a JSON object from its members, sorted by name; a nil member is omitted.
func object(members map[string]json.RawMessage) json.RawMessage {
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
		b = append(serve.AppendQuoted(b, name), ':')
		b = append(b, members[name]...)
	}
	return append(b, '}')
}

// with returns the members with some of them replaced.
func with(members map[string]json.RawMessage, name string, value json.RawMessage) map[string]json.RawMessage {
	changed := maps.Clone(members)
	if changed == nil {
		changed = map[string]json.RawMessage{}
	}
	changed[name] = value
	return changed
}

// quoted is the JSON string of s.
func quoted(s string) json.RawMessage { return serve.Quote(s) }
