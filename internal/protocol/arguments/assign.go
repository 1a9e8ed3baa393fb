package arguments

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Assign builds the arguments of a call from assignments as on the command line:
//
//	name=text     text, converted to the type in the schema
//	name:=JSON    JSON, sent byte for byte
//	a.b=text      into an object
//	list[]=text   to the end of a list; list[].a=text into a row, a new one if the last has an a
//
// Names are in the order of the assignments; a required null, which has no input, is added at the end. All errors are
// reported; with errors the arguments are nil. Use [Examine] to validate the result.
func Assign(inputSchema json.RawMessage, assignments []string) (json.RawMessage, []FieldError) {
	b := newBuilder(inputSchema)
	declared := b.declared(inputSchema)
	root := &valueBuilder{}
	var errs []FieldError
	for _, given := range assignments {
		a, err := parseAssignment(given, declared)
		if err != nil {
			errs = append(errs, *fieldError("", given, "name=text or name:=JSON", "is invalid: "+err.Error()))
			continue
		}
		if err := b.assign(root, inputSchema, a); err != nil {
			errs = append(errs, *err)
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	for _, f := range Model(inputSchema).Fields {
		if f.Kind == KindNull && f.Required && root.members[f.Name] == nil {
			if null, err := root.enter([]step{{name: f.Name}}); err == nil {
				null.leaf = json.RawMessage("null")
			}
		}
	}
	return root.object(), nil
}

// declared reports whether the schema has a property with exactly that name.
func (b *builder) declared(inputSchema json.RawMessage) func(string) bool {
	n, err := b.resolver.Resolve(inputSchema)
	if err != nil {
		return func(string) bool { return false }
	}
	properties, _ := n.Get("properties")
	members, _ := schema.Members(properties)
	return func(name string) bool {
		for _, m := range members {
			if m.Name == name {
				return true
			}
		}
		return false
	}
}

func (b *builder) assign(root *valueBuilder, inputSchema json.RawMessage, a assignment) *FieldError {
	at, where := root, inputSchema
	for i, next := range a.path {
		where = b.inside(where, next)
		var err error
		if at, err = at.enter(a.path[i:]); err != nil {
			return fieldError(a.label, a.text, "one value for a name", err.Error())
		}
	}
	value, err := b.typed(where, a)
	if err != nil {
		return err
	}
	at.leaf = value
	return nil
}

// typed returns the value of one assignment.
func (b *builder) typed(where json.RawMessage, a assignment) (json.RawMessage, *FieldError) {
	if a.raw {
		if !validJSON(a.text) {
			return nil, fieldError(a.label, a.text, "JSON", "is not valid JSON")
		}
		return json.RawMessage(a.text), nil
	}
	value, err := b.convert(where, a.label, a.text)
	if err != nil {
		err.Field = a.label
	}
	return value, err
}

// inside returns the subschema of a step; nil if nothing is declared.
func (b *builder) inside(where json.RawMessage, s step) json.RawMessage {
	if where == nil {
		return nil
	}
	n, err := b.resolver.Resolve(where)
	if err != nil {
		return nil
	}
	if n, _, err = b.withoutNull(n); err != nil {
		return nil
	}
	keyword := "properties"
	if s.append {
		keyword = "items"
	}
	raw, ok := n.Get(keyword)
	if elements, rest := positions(&n); s.append && rest != "" {
		if at, err := strconv.Atoi(s.name); err == nil && at >= 0 && at < len(elements) {
			return elements[at]
		}
		raw, _ = n.Get(rest)
	}
	if s.append {
		return raw
	}
	if declared, found := schema.Get(raw, "/"+schema.Token(s.name)); ok && found {
		return declared
	}
	if declared := b.inBranches(&n, s.name); declared != nil {
		return declared
	}
	additional, _ := n.Get("additionalProperties")
	return additional
}

// convert converts a text according to the subschema. An undeclared value is a string.
func (b *builder) convert(where json.RawMessage, label, text string) (json.RawMessage, *FieldError) {
	plain := &Field{Name: label, Kind: KindString}
	if kind := schema.Kind(where); kind != '{' {
		return Convert(plain, text)
	}
	switch b.shape(where) {
	case KindList:
		return nil, fieldError(label, text, "a list", "is a single value",
			fmt.Sprintf("use %s[]=… for each item, or %s:=[…]", label, label))
	case KindObject:
		return nil, fieldError(label, text, "an object", "is a single value",
			fmt.Sprintf("use %s.name=…, or %s:={…}", label, label))
	}
	f := b.field(where, 0)
	if f.Kind == KindUnion || f.Kind == KindJSON {
		return b.convertMixed(where, label, text)
	}
	f.Name = label
	return Convert(f, text)
}

// shape returns the kind of a subschema, ignoring null, whether or not a form can show it. It is empty for
// several types.
func (b *builder) shape(where json.RawMessage) Kind {
	n, err := b.resolver.Resolve(where)
	if err != nil {
		return ""
	}
	if n, _, err = b.withoutNull(n); err != nil || n.Has("enum") || n.Has("const") || len(b.variants(&n)) > 0 {
		return ""
	}
	kind, _ := kindOf(&n)
	return kind
}

// convertMixed selects the only type of several that matches the text. Any text is a valid string, so string is
// selected only if no other type matches.
func (b *builder) convertMixed(where json.RawMessage, label, text string) (json.RawMessage, *FieldError) {
	types := b.typesOf(where, 0)
	var claims []json.RawMessage
	takesText := len(types) == 0
	for _, name := range types {
		switch kind := Kind(name); kind {
		case KindString:
			takesText = true
		case KindInteger, KindNumber, KindBoolean, KindNull:
			if value, err := Convert(&Field{Name: label, Kind: kind}, text); err == nil {
				claims = append(claims, value)
			}
		}
	}
	switch {
	case len(claims) == 0 && takesText:
		return Convert(&Field{Name: label, Kind: KindString}, text)
	case len(claims) == 1 && !takesText:
		return claims[0], nil
	case len(claims) > 1 && !takesText && same(claims[0], claims[len(claims)-1]):
		return claims[0], nil
	}
	return nil, fieldError(label, text, strings.Join(types, " or "), "matches several types, or none",
		fmt.Sprintf("use %s:=JSON", label))
}

// typesOf collects the types that a subschema and its alternatives name. None means any.
func (b *builder) typesOf(where json.RawMessage, depth int) []string {
	n, err := b.resolver.Resolve(where)
	if err != nil || depth > 8 {
		return nil
	}
	types := n.Types()
	for _, keyword := range []string{"anyOf", "oneOf"} {
		raw, _ := n.Get(keyword)
		branches, _ := schema.Elements(raw)
		for _, alternative := range branches {
			types = append(types, b.typesOf(alternative, depth+1)...)
		}
	}
	return types
}
