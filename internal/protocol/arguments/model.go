package arguments

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Model decides how the input of a tool can be entered. It handles every schema: one that is invalid, or not
// suitable for a form, uses the JSON editor, and Reason states why.
func Model(inputSchema json.RawMessage) *Form {
	b := builder{schema.NewResolver(inputSchema)}
	err := schema.Bounded(inputSchema, nil)
	var fields []Field
	if err == nil {
		fields, err = b.root(inputSchema)
	}
	if err != nil {
		return &Form{Mode: ModeJSON, Reason: err.Error(), Fields: []Field{}}
	}
	return &Form{Mode: ModeForm, Fields: fields}
}

// A builder creates fields from subschemas.
type builder struct{ resolver *schema.Resolver }

// How deep a field may be nested: an object of scalars and simple lists is a fieldset, an object inside that is
// not.
type level int

const (
	topLevel   level = iota // a property of the tool
	innerLevel              // a property of a property, or of a row
	itemLevel               // an item of a list that is a property of the tool
	innerItem               // an item of a list inside an object
)

func (b *builder) root(raw json.RawMessage) ([]Field, error) {
	n, err := b.resolver.Resolve(raw)
	if err != nil {
		return nil, err
	}
	if types := n.Types(); len(types) > 0 && !slices.Contains(types, "object") {
		return nil, fmt.Errorf("the input is not an object: %s", types[0])
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if n.Has(keyword) {
			return nil, fmt.Errorf("the input is a choice between alternatives (%s)", keyword)
		}
	}
	fields, err := b.properties(&n, topLevel)
	if fields == nil {
		fields = []Field{}
	}
	return fields, err
}

// properties creates a field for each property, in the order of the schema.
func (b *builder) properties(n *schema.Node, at level) ([]Field, error) {
	raw, ok := n.Get("properties")
	if !ok {
		return nil, nil
	}
	members, err := schema.Members(raw)
	if err != nil {
		return nil, errors.New("properties is not an object")
	}
	required := requiredNames(n)
	var fields []Field
	for _, m := range members {
		f, err := b.field(m.Value, at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		f.Name, f.Required = m.Name, slices.Contains(required, m.Name)
		if f.Label == "" {
			f.Label = m.Name
		}
		if f.Kind == KindNull {
			f.Nullable = true
		}
		fields = append(fields, *f)
	}
	return fields, nil
}

func requiredNames(n *schema.Node) []string {
	raw, _ := n.Get("required")
	elements, _ := schema.Elements(raw)
	var names []string
	for _, element := range elements {
		if name, ok := schema.Text(element); ok {
			names = append(names, name)
		}
	}
	return names
}

// field creates a field from one subschema.
func (b *builder) field(raw json.RawMessage, at level) (*Field, error) {
	n, err := b.resolver.Resolve(raw)
	if err != nil {
		return nil, err
	}
	n, nullable, err := b.withoutNull(n)
	if err != nil {
		return nil, err
	}
	f := &Field{Nullable: nullable}
	describe(f, &n)
	if err := b.choose(f, &n, at); err != nil {
		return nil, err
	}
	if f.Kind == KindList || f.Kind == KindRows {
		f.Nullable = false // an array is sent as [] or not at all
	}
	return f, nil
}

// choose sets the kind and its details.
func (b *builder) choose(f *Field, n *schema.Node, at level) error {
	if options, isEnum := b.options(n); isEnum {
		f.Kind, f.Options = KindEnum, slices.DeleteFunc(options, func(o Option) bool { return o.Value == "null" })
		f.Nullable = f.Nullable || len(f.Options) < len(options)
		return nil
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if n.Has(keyword) {
			return fmt.Errorf("a choice between alternatives (%s)", keyword)
		}
	}
	kind, err := kindOf(n)
	if err != nil {
		return err
	}
	f.Kind = kind
	switch kind {
	case KindInteger:
		f.Step = "1"
	case KindList:
		return b.list(f, n, at)
	case KindObject:
		return b.object(f, n, at)
	}
	return nil
}

// list creates a list of simple values, or rows of flat objects.
func (b *builder) list(f *Field, n *schema.Node, at level) error {
	if at == itemLevel || at == innerItem {
		return errors.New("a list of lists")
	}
	if n.Has("prefixItems") {
		return errors.New("a list with positional types")
	}
	items, ok := n.Get("items")
	if !ok || schema.Kind(items) == 't' || isEmptyObject(items) {
		f.Items, f.Open = &Field{Kind: KindJSON}, true
		return nil
	}
	if schema.Kind(items) == '[' {
		return errors.New("a list with positional types")
	}
	itemAt := itemLevel
	if at == innerLevel {
		itemAt = innerItem
	}
	item, err := b.field(items, itemAt)
	if err != nil {
		return fmt.Errorf("items: %w", err)
	}
	if item.Kind != KindObject {
		f.Items = item
		return nil
	}
	f.Kind, f.Fields, f.Open, f.Items = KindRows, item.Fields, item.Open, item.Items
	return nil
}

// object creates a fieldset. Without declared properties, property names are free.
func (b *builder) object(f *Field, n *schema.Node, at level) error {
	if at == innerLevel || at == innerItem {
		return errors.New("an object inside an object")
	}
	fields, err := b.properties(n, innerLevel)
	if err != nil {
		return err
	}
	f.Fields = fields
	if len(fields) > 0 {
		return nil
	}
	additional, ok := n.Get("additionalProperties")
	if ok && schema.Kind(additional) == 'f' {
		return nil
	}
	f.Open, f.Items = true, &Field{Kind: KindJSON}
	if ok && schema.Kind(additional) == '{' && !isEmptyObject(additional) {
		if item, err := b.field(additional, innerLevel); err == nil {
			f.Items = item
		}
	}
	return nil
}

func isEmptyObject(raw json.RawMessage) bool {
	members, err := schema.Members(raw)
	return err == nil && len(members) == 0
}
