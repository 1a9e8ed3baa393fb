package arguments

import (
	"encoding/json"
	"errors"
)

// A branch is a value under construction: a finished leaf, an object or a list.
type branch struct {
	leaf    json.RawMessage
	names   []string // of an object, in the order typed
	members map[string]*branch
	items   []*branch // of a list
}

// enter returns the branch that a step leads to, and makes it. The last step must lead to something new.
func (b *branch) enter(s step, last bool) (*branch, error) {
	if b.leaf != nil {
		return nil, errors.New("is inside something that has a value already")
	}
	if s.append {
		return b.push()
	}
	if b.items != nil {
		return nil, errors.New("names a member of a list")
	}
	inner, exists := b.members[s.name]
	if exists && last {
		return nil, errors.New("is given twice")
	}
	if exists {
		return inner, nil
	}
	if b.members == nil {
		b.members = map[string]*branch{}
	}
	inner = &branch{}
	b.names = append(b.names, s.name)
	b.members[s.name] = inner
	return inner, nil
}

func (b *branch) push() (*branch, error) {
	if b.members != nil {
		return nil, errors.New("appends to an object")
	}
	item := &branch{}
	b.items = append(b.items, item)
	return item, nil
}

// json writes what was built.
func (b *branch) json() json.RawMessage {
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

func (b *branch) object() json.RawMessage {
	raw := json.RawMessage("{")
	for i, name := range b.names {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, jsonText(name)...), ':'), b.members[name].json()...)
	}
	return append(raw, '}')
}
