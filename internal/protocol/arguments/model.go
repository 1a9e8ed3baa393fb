package arguments

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Model decides how the input of a tool can be entered. It handles every schema: a field that has no other input is
// entered as JSON, and if the input as a whole is not an object with known properties, all of it is. Reason states
// why.
func Model(inputSchema json.RawMessage) *Form {
	b := newBuilder(inputSchema)
	err := schema.Bounded(inputSchema, nil)
	form := &Form{Mode: ModeForm, Fields: []Field{}}
	if err == nil {
		err = b.root(form, inputSchema)
	}
	if err != nil {
		return &Form{Mode: ModeJSON, Reason: err.Error(), Fields: []Field{}}
	}
	form.Definitions = b.definitions()
	return form
}

// Limits of a form. Fields beyond them are entered as JSON.
const (
	maxDepth  = 12
	maxFields = 3000
)

// A builder creates fields from subschemas.
type builder struct {
	resolver   *schema.Resolver
	structures map[string]*structure // by the keywords that define them
	named      []*structure
	left       int // fields that may still be created
}

func newBuilder(root json.RawMessage) *builder {
	return &builder{resolver: schema.NewResolver(root), structures: map[string]*structure{}, left: maxFields}
}

// root creates the fields of the input, or its variants.
func (b *builder) root(form *Form, raw json.RawMessage) error {
	n, err := b.resolver.Resolve(raw)
	if err != nil {
		return err
	}
	if n, _, err = b.withoutNull(n); err != nil {
		return err
	}
	if types := n.Types(); len(types) > 0 && !slices.Contains(types, "object") {
		return fmt.Errorf("the input is not an object: %s", types[0])
	}
	n = asObject(n)
	if _, keyword := b.branches(&n); keyword != "" {
		if form.Variants, err = b.rootVariants(&n); err != nil {
			return fmt.Errorf("the input is a choice between alternatives (%s): %w", keyword, err)
		}
		return nil
	}
	var whole Field
	if err := b.object(&whole, &n, -1); err != nil {
		return err
	}
	form.Fields = append(form.Fields, whole.Fields...)
	if additional, ok := n.Get("additionalProperties"); n.Has("patternProperties") || ok && (len(whole.Fields) == 0 ||
		schema.Kind(additional) == '{' && !isEmptyObject(additional)) {
		form.Items = whole.Items // nil for false
	}
	return nil
}

// properties creates a field for each property, in the order of the schema.
func (b *builder) properties(n *schema.Node, depth int) ([]Field, error) {
	raw, ok := n.Get("properties")
	if !ok {
		return nil, nil
	}
	members, err := schema.Members(raw)
	if err != nil {
		return nil, errors.New("properties is not an object")
	}
	if len(members) == 0 {
		return nil, nil
	}
	required := requiredNames(n)
	fields := make([]Field, 0, len(members))
	for _, m := range members {
		f := b.field(m.Value, depth)
		f.Name, f.Required = m.Name, slices.Contains(required, m.Name)
		if f.Label == "" {
			f.Label = m.Name
		}
		if f.Kind == KindNull {
			f.Nullable = true
		}
		if f.isList() && !nullMeant(f.Required, f.Default) {
			f.Nullable = false
		}
		f.Initial = initial(f)
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
func (b *builder) field(raw json.RawMessage, depth int) *Field {
	n, err := b.resolver.Resolve(raw)
	if err != nil {
		return &Field{Kind: KindJSON, Reason: err.Error()}
	}
	return b.fieldOf(n, depth)
}

func (b *builder) fieldOf(n schema.Node, depth int) *Field {
	n, nullable, err := b.withoutNull(n)
	if err != nil {
		return &Field{Kind: KindJSON, Reason: err.Error()}
	}
	f := &Field{Nullable: nullable}
	describe(f, &n)
	switch b.left--; {
	case b.left < 0:
		err = errors.New("the form has too many fields")
	case depth > maxDepth:
		err = fmt.Errorf("nested more than %d levels", maxDepth)
	default:
		err = b.choose(f, &n, depth)
	}
	if err != nil {
		f.take(&Field{Kind: KindJSON})
		f.Reason, f.Ref, f.Target = err.Error(), "", nil
	}
	return f
}

// choose sets the kind and its details.
func (b *builder) choose(f *Field, n *schema.Node, depth int) error {
	if options, isEnum := b.options(n); isEnum {
		f.Kind, f.Options = KindEnum, slices.DeleteFunc(options, func(o Option) bool { return o.Value == "null" })
		f.Nullable = f.Nullable || len(f.Options) < len(options)
		return nil
	}
	if variants := b.variants(n); len(variants) > 0 {
		return b.structure(f, KindUnion, n, func(into *Field) error { return b.union(into, variants, depth) })
	}
	kind, err := kindOf(n)
	if err != nil {
		return err
	}
	switch f.Kind = kind; kind {
	case KindInteger:
		f.Step = "1"
	case KindList:
		return b.structure(f, kind, n, func(into *Field) error { return b.list(into, n, depth) })
	case KindObject:
		return b.structure(f, kind, n, func(into *Field) error { return b.object(into, n, depth) })
	}
	return nil
}

// list creates a list of values, rows of objects, or a tuple.
func (b *builder) list(f *Field, n *schema.Node, depth int) error {
	if elements, rest := positions(n); rest != "" {
		return b.tuple(f, n, elements, rest, depth)
	}
	items, ok := n.Get("items")
	if !ok || schema.Kind(items) == 't' || isEmptyObject(items) {
		f.Items, f.Open = &Field{Kind: KindJSON}, true
		return nil
	}
	item := b.field(items, depth+1)
	if item.Kind == KindObject && item.Target == nil && !item.Nullable {
		f.take(item)
		f.Kind = KindRows
		return nil
	}
	f.Items = item
	return nil
}

// object creates a fieldset. Without declared properties, and with a schema for others, property names are free.
func (b *builder) object(f *Field, n *schema.Node, depth int) error {
	fields, err := b.properties(n, depth+1)
	if err != nil {
		return err
	}
	f.Fields = fields
	additional, ok := n.Get("additionalProperties")
	if item := b.patternItem(n, additional, depth); item != nil {
		f.Open, f.Items = true, item
		return nil
	}
	if ok && schema.Kind(additional) == 'f' || !ok && len(fields) > 0 {
		return nil
	}
	f.Open, f.Items = true, &Field{Kind: KindJSON}
	if ok && schema.Kind(additional) == '{' && !isEmptyObject(additional) {
		f.Items = b.field(additional, depth+1)
	}
	return nil
}

// patternItem returns the field of properties whose names match a pattern: with one pattern its schema, else any
// value. It is nil without patterns.
func (b *builder) patternItem(n *schema.Node, additional json.RawMessage, depth int) *Field {
	raw, _ := n.Get("patternProperties")
	patterns, err := schema.Members(raw)
	switch {
	case err != nil || len(patterns) == 0:
		return nil
	case len(patterns) > 1 || schema.Kind(additional) == '{':
		return &Field{Kind: KindJSON}
	}
	return b.field(patterns[0].Value, depth+1)
}

func isEmptyObject(raw json.RawMessage) bool {
	members, err := schema.Members(raw)
	return err == nil && len(members) == 0
}
