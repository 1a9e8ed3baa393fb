package hosts

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A node is a JSON value that a host rewrites. Objects keep the order of their fields. A duplicate field replaces
// the first one, as in the parsers of the hosts.
type node struct {
	kind   byte // as returned by schema.Kind
	text   string
	raw    json.RawMessage // of numbers, booleans and null
	fields []field
	items  []*node
}

type field struct {
	name  string
	value *node
}

// parse reads a JSON value. It returns nil if the value is malformed or too deep.
func parse(raw json.RawMessage) *node {
	var n node
	if !n.read(raw, 0) {
		return nil
	}
	return &n
}

// read sets the node to a value, and reports whether it could. The values inside are allocated together.
func (n *node) read(raw json.RawMessage, depth int) bool {
	n.kind = schema.Kind(raw)
	if depth > schema.MaxDepth {
		return false
	}
	switch n.kind {
	case '{':
		members, err := schema.Members(raw)
		if err != nil {
			return false
		}
		values := make([]node, len(members))
		n.fields = make([]field, 0, len(members))
		for i, m := range members {
			if !values[i].read(m.Value, depth+1) {
				return false
			}
			n.set(m.Name, &values[i])
		}
	case '[':
		elements, err := schema.Elements(raw)
		if err != nil {
			return false
		}
		values := make([]node, len(elements))
		for i, e := range elements {
			if !values[i].read(e, depth+1) {
				return false
			}
			n.items = append(n.items, &values[i])
		}
	case '"':
		n.text, _ = schema.Text(raw)
	case 0:
		return false
	default:
		n.raw = raw
	}
	return true
}

func newObject(fields ...field) *node    { return &node{kind: '{', fields: fields} }
func newList(items ...*node) *node       { return &node{kind: '[', items: items} }
func newText(text string) *node          { return &node{kind: '"', text: text} }
func newBool(value bool) *node           { return parse(strconv.AppendBool(nil, value)) }
func (n *node) isObject() bool           { return n != nil && n.kind == '{' }
func (n *node) isList() bool             { return n != nil && n.kind == '[' }
func (n *node) isText() bool             { return n != nil && n.kind == '"' }
func (n *node) isBool() bool             { return n != nil && (n.kind == 't' || n.kind == 'f') }
func (n *node) hasText(text string) bool { return n.isText() && n.text == text }

// get returns the value of a field; nil if there is none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, f := range n.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

func (n *node) has(name string) bool { return n.get(name) != nil }

func (n *node) hasAny(names ...string) bool { return slices.ContainsFunc(names, n.has) }

// set replaces a field, or adds it at the end.
func (n *node) set(name string, value *node) {
	for i := range n.fields {
		if n.fields[i].name == name {
			n.fields[i].value = value
			return
		}
	}
	n.fields = append(n.fields, field{name, value})
}

func (n *node) remove(names ...string) {
	n.fields = slices.DeleteFunc(n.fields, func(f field) bool { return slices.Contains(names, f.name) })
}

// clone returns a deep copy.
func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	var c node
	c.copy(n)
	return &c
}

// copy sets the node to a deep copy of another. The values inside are allocated together.
func (n *node) copy(from *node) {
	*n = *from
	n.fields, n.items = slices.Clone(from.fields), slices.Clone(from.items)
	if len(n.fields)+len(n.items) == 0 {
		return
	}
	values := make([]node, len(n.fields)+len(n.items))
	for i := range n.fields {
		values[i].copy(n.fields[i].value)
		n.fields[i].value = &values[i]
	}
	values = values[len(n.fields):]
	for i := range n.items {
		values[i].copy(n.items[i])
		n.items[i] = &values[i]
	}
}

// each calls a function for the value and every value inside it.
func (n *node) each(visit func(*node)) {
	visit(n)
	for _, f := range n.fields {
		f.value.each(visit)
	}
	for _, item := range n.items {
		item.each(visit)
	}
}

// sorted returns a copy whose objects have their fields in the order of their names.
func (n *node) sorted() *node {
	c := n.clone()
	c.each(func(n *node) {
		slices.SortFunc(n.fields, func(a, b field) int { return compareUTF16(a.name, b.name) })
	})
	return c
}

// jsNumbers rewrites numbers as a JavaScript program writes them: 1.0 becomes 1.
func (n *node) jsNumbers() *node {
	n.each(func(n *node) {
		var value float64
		if n.kind == '0' && !shortCount(n.raw) && json.Unmarshal(n.raw, &value) == nil {
			n.raw, _ = json.Marshal(value)
		}
	})
	return n
}

// shortCount reports whether a number is written with at most 15 digits and nothing else, which JavaScript leaves as it
// is. Most numbers of schemas are.
func shortCount(raw json.RawMessage) bool {
	return len(raw) <= 15 && !slices.ContainsFunc(raw, func(c byte) bool { return c < '0' || c > '9' })
}

// append writes the value as compact JSON.
func (n *node) append(out []byte) []byte {
	switch n.kind {
	case '{':
		out = append(out, '{')
		for i, f := range n.fields {
			if i > 0 {
				out = append(out, ',')
			}
			out, _ = jsontext.AppendQuote(out, f.name)
			out = f.value.append(append(out, ':'))
		}
		return append(out, '}')
	case '[':
		out = append(out, '[')
		for i, item := range n.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.append(out)
		}
		return append(out, ']')
	case '"':
		out, _ = jsontext.AppendQuote(out, n.text)
		return out
	}
	return append(out, n.raw...)
}

func (n *node) json() json.RawMessage { return n.append(nil) }
