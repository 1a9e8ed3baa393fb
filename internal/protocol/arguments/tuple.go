package arguments

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// positions returns the schemas of a tuple by position, and the keyword that describes further items: items after
// prefixItems, or additionalItems after an array of items. The keyword is empty if all items have one schema.
func positions(n *schema.Node) (elements []json.RawMessage, rest string) {
	raw, rest := json.RawMessage(nil), ""
	if prefix, ok := n.Get("prefixItems"); ok {
		raw, rest = prefix, "items"
	} else if items, _ := n.Get("items"); schema.Kind(items) == '[' {
		raw, rest = items, "additionalItems"
	}
	elements, _ = schema.Elements(raw)
	return elements, rest
}

// tuple creates a field for each position. The values are stored like those of an object, with their position as name.
// Without a schema for further items none are expected.
func (b *builder) tuple(f *Field, n *schema.Node, elements []json.RawMessage, rest string, depth int) error {
	further, _ := n.Get(rest)
	most, bounded := length(n, "maxItems")
	open := bounded && most > len(elements) || !bounded && (schema.Kind(further) == '{' || schema.Kind(further) == 't')
	if len(elements) == 0 || open && schema.Kind(further) != 'f' {
		return errors.New("a list with positional types and more items")
	}
	if !bounded {
		most = len(elements)
	}
	least, _ := length(n, "minItems")
	f.Kind = KindTuple
	for i, element := range elements[:min(most, len(elements))] {
		inner := b.field(element, depth+1)
		inner.Name, inner.Required = strconv.Itoa(i), i < least
		if inner.Label == "" {
			inner.Label = position(inner.Name)
		}
		inner.Initial = initial(inner)
		f.Fields = append(f.Fields, *inner)
	}
	return nil
}

// length returns a limit on the number of items, and whether there is one.
func length(n *schema.Node, keyword string) (int, bool) {
	raw, _ := n.Get(keyword)
	limit, err := strconv.Atoi(string(raw))
	return limit, err == nil && limit >= 0
}

func position(name string) string { return "[" + name + "]" }

// Inner returns the path of a field inside an object or a tuple.
func (f *Field) Inner(path, name string) string {
	if f.Kind == KindTuple {
		return path + position(name)
	}
	return join(path, name)
}

// tuple writes the values by position. Those after the last one that is set are omitted; one before it is missing.
func (e *encoder) tuple(f *Field, label string, items []Value) json.RawMessage {
	values := make([]json.RawMessage, len(f.Fields))
	end := 0
	for i := range f.Fields {
		for _, item := range items {
			if item.Name == f.Fields[i].Name && item.State != Unset && item.State != "" {
				values[i], end = e.value(&f.Fields[i], f.Inner(label, item.Name), item), i+1
			}
		}
	}
	for i := range values[:end] {
		if values[i] == nil {
			inner := &f.Fields[i]
			at := f.Inner(label, inner.Name)
			e.errors = append(e.errors, FieldError{at, "", string(inner.Kind),
				fmt.Sprintf("%s: missing, expected %s", at, inner.Kind)})
			values[i] = json.RawMessage("null")
		}
	}
	return arrayOf(values[:end])
}

// tuple converts the elements of a list to values by position; false if there are more than positions.
func (p *parser) tuple(f *Field, label string, elements []json.RawMessage) (Value, bool) {
	if len(elements) > len(f.Fields) {
		return Value{}, false
	}
	v := Value{State: Set}
	for i := range f.Fields {
		item := Value{State: Unset}
		if i < len(elements) {
			item = p.value(&f.Fields[i], f.Inner(label, f.Fields[i].Name), elements[i])
		}
		item.Name = f.Fields[i].Name
		v.Items = append(v.Items, item)
	}
	return v, true
}

func tupleDifferences(f *Field, elements []json.RawMessage, depth int) int {
	count := 0
	for i, element := range elements {
		switch {
		case i >= len(f.Fields):
			return count + wrongConstant
		case !sameType(f.Fields[i].Shape(), element, depth):
			count += wrongValue
		}
	}
	for i := len(elements); i < len(f.Fields); i++ {
		if f.Fields[i].Required {
			count += missingName
		}
	}
	return count
}
