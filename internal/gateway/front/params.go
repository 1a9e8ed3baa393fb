package front

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
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

// extended returns an object with more members at its end; existing ones take precedence. Its own bytes stay unchanged.
func extended(raw json.RawMessage, names []string, values []json.RawMessage) json.RawMessage {
	members, err := schema.Members(raw)
	if err != nil {
		return raw
	}
	has := func(name string) bool {
		return slices.ContainsFunc(members, func(m schema.Member) bool { return m.Name == name })
	}
	if !slices.ContainsFunc(names, func(name string) bool { return !has(name) }) {
		return raw
	}
	end := len(raw)
	for end > 0 && raw[end-1] != '}' {
		end--
	}
	b := append(make([]byte, 0, len(raw)+64), raw[:end-1]...)
	empty := len(members) == 0
	for i, name := range names {
		if has(name) {
			continue
		}
		if !empty {
			b = append(b, ',')
		}
		empty = false
		b = append(serve.AppendQuoted(b, name), ':')
		b = append(b, values[i]...)
	}
	return append(b, '}')
}

// quoted is the JSON string of s.
func quoted(s string) json.RawMessage { return serve.Quote(s) }
