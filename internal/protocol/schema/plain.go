package schema

import (
	"encoding/json"
	"slices"
)

// Plain returns what a subschema allows besides null, without references. SDKs declare an optional text as a choice between a text and
// null, with the default null; for a reader it is a text. A subschema with several other types, or one that cannot be resolved, is
// returned unchanged.
func (r *Resolver) Plain(raw json.RawMessage) json.RawMessage {
	n, err := r.Resolve(raw)
	if err != nil || Kind(raw) != '{' {
		return raw
	}
	changed := Node{Members: n.Members}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		alternatives, ok := changed.Get(keyword)
		if !ok {
			continue
		}
		chosen, ok := r.onlyValue(alternatives)
		if !ok {
			return raw
		}
		changed.Members = r.merge(without(changed.Members, keyword), chosen)
	}
	changed.Members = slices.Clone(changed.Members) // those of the root are shared
	for i, m := range changed.Members {
		switch {
		case m.Name == "type" && Kind(m.Value) == '[':
			if types := slices.DeleteFunc(texts(m.Value), func(name string) bool { return name == "null" }); len(types) == 1 {
				changed.Members[i].Value, _ = json.Marshal(types[0]) // a string always marshals
			}
		case m.Name == "enum":
			values, _ := Elements(m.Value)
			changed.Members[i].Value = array(slices.DeleteFunc(values, func(v json.RawMessage) bool { return Kind(v) == 'n' }))
		}
	}
	if value, ok := changed.Get("default"); ok && Kind(value) == 'n' {
		changed.Members = without(changed.Members, "default")
	}
	return object(changed.Members)
}

// onlyValue returns the keywords of the only alternative that is not null.
func (r *Resolver) onlyValue(alternatives json.RawMessage) ([]Member, bool) {
	branches, _ := Elements(alternatives)
	var chosen []Member
	found := 0
	for _, b := range branches {
		n, err := r.Resolve(b)
		if err != nil {
			return nil, false
		}
		if types := n.Types(); len(types) == 1 && types[0] == "null" {
			continue
		}
		if value, ok := n.Get("const"); ok && Kind(value) == 'n' {
			continue
		}
		chosen = n.Members
		found++
	}
	return chosen, found == 1
}
