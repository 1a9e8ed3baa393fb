package arguments

import (
	"encoding/json"
	"errors"
)

// A valueBuilder is a value under construction: a finished leaf, an object or a list.
type valueBuilder struct {
	leaf    json.RawMessage
	names   []string // of an object, in the order typed
	members map[string]*valueBuilder
	items   []*valueBuilder // of a list
}

// enter follows the first step of a path and returns the branch, which it creates if necessary. The last step
// must create a new one.
func (b *valueBuilder) enter(path []step) (*valueBuilder, error) {
	if b.leaf != nil {
		return nil, errors.New("is inside a value that is already set")
	}
	first, rest := path[0], path[1:]
	if first.append {
		return b.push(rest)
	}
	if b.items != nil {
		return nil, errors.New("uses a name inside a list")
	}
	inner, exists := b.members[first.name]
	if exists && len(rest) == 0 {
		return nil, errors.New("is set twice")
	}
	if exists {
		return inner, nil
	}
	if b.members == nil {
		b.members = map[string]*valueBuilder{}
	}
	inner = &valueBuilder{}
	b.names = append(b.names, first.name)
	b.members[first.name] = inner
	return inner, nil
}

// push appends an item. A row continues while the names are new to it: rows[].a=1 rows[].b=2 is one row.
func (b *valueBuilder) push(rest []step) (*valueBuilder, error) {
	if b.members != nil {
		return nil, errors.New("appends to an object")
	}
	if last := len(b.items) - 1; last >= 0 && len(rest) > 0 && b.items[last].accepts(rest) {
		return b.items[last], nil
	}
	item := &valueBuilder{}
	b.items = append(b.items, item)
	return item, nil
}

// accepts reports whether a path can be followed without changing existing values.
func (b *valueBuilder) accepts(path []step) bool {
	if b.leaf != nil || len(path) == 0 {
		return false
	}
	if path[0].append {
		return b.members == nil
	}
	if b.items != nil {
		return false
	}
	inner, exists := b.members[path[0].name]
	return !exists || inner.accepts(path[1:])
}

// json encodes the value.
func (b *valueBuilder) json() json.RawMessage {
	switch {
	case b.leaf != nil:
		return b.leaf
	case b.items == nil:
		return b.object()
	}
	raw := json.RawMessage("[")
	for i, item := range b.items {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(raw, item.json()...)
	}
	return append(raw, ']')
}

func (b *valueBuilder) object() json.RawMessage {
	raw := json.RawMessage("{")
	for i, name := range b.names {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, jsonText(name)...), ':'), b.members[name].json()...)
	}
	return append(raw, '}')
}
