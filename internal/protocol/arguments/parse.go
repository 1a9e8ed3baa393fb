package arguments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Notice is a remark for the user about a location in the arguments that is not an error.
type Notice struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Parse converts JSON to form values. Nothing is lost: what the form cannot show is kept, a notice names it,
// and Encode writes it back at its position. It returns an error if the text is not a JSON object.
func (f *Form) Parse(raw json.RawMessage) (Value, []Notice, error) {
	if !validJSON(string(raw)) {
		return Value{}, nil, errors.New("not valid JSON; fix it before switching to the form")
	}
	members, err := schema.Members(raw)
	if err != nil {
		return Value{}, nil, errors.New("not a JSON object; arguments must be an object")
	}
	p := parser{}
	if len(f.Variants) > 0 {
		v, _ := p.union(&Field{Kind: KindUnion, Variants: f.Variants}, "", raw)
		return v, p.notices, nil
	}
	return Value{State: Set, Items: p.members(f.Fields, f.Items, "", members)}, p.notices, nil
}

type parser struct{ notices []Notice }

func (p *parser) notice(label, format string, args ...any) {
	p.notices = append(p.notices, Notice{label, label + ": " + fmt.Sprintf(format, args...)})
}

func (p *parser) members(fields []Field, open *Field, prefix string, members []schema.Member) []Value {
	var items []Value
	for i, m := range members {
		label := join(prefix, m.Name)
		again := slices.ContainsFunc(members[i+1:], func(later schema.Member) bool { return later.Name == m.Name })
		described := field(fields, m.Name)
		if described == nil {
			described = open
		}
		var v Value
		switch {
		case again:
			p.notice(label, "duplicate name; the last value is shown")
			v = Value{State: Raw, JSON: string(m.Value)}
		case described == nil:
			p.notice(label, "not declared in the schema; kept unchanged")
			v = Value{State: Raw, JSON: string(m.Value)}
		default:
			v = p.value(described, label, m.Value)
		}
		v.Name = m.Name
		items = append(items, v)
	}
	return items
}

func (p *parser) value(f *Field, label string, raw json.RawMessage) Value {
	v, ok := p.render(f, label, raw)
	if !ok {
		p.notice(label, "%s does not match a field of type %s; kept unchanged", clip.Text(string(raw), maxDisplayed),
			f.Kind)
		return Value{State: Raw, JSON: string(raw)}
	}
	return v
}

// render converts one value to a field value, if possible.
func (p *parser) render(f *Field, label string, raw json.RawMessage) (Value, bool) {
	f = f.Shape()
	kind := schema.Kind(raw)
	if kind == 'n' && f.Kind != KindJSON {
		return Value{State: Null}, f.Nullable || f.Kind == KindNull
	}
	switch f.Kind {
	case KindNull:
		return Value{}, false
	case KindObject:
		members, err := schema.Members(raw)
		return Value{State: Set, Items: p.members(f.Fields, f.Items, label, members)}, err == nil
	case KindList, KindRows:
		elements, err := schema.Elements(raw)
		return Value{State: Set, Items: p.elements(f, label, elements)}, err == nil
	case KindTuple:
		elements, err := schema.Elements(raw)
		if err != nil {
			return Value{}, false
		}
		return p.tuple(f, label, elements)
	case KindUnion:
		return p.union(f, label, raw)
	}
	return renderSingle(f, raw)
}

func (p *parser) elements(f *Field, label string, elements []json.RawMessage) []Value {
	var items []Value
	for i, element := range elements {
		at := fmt.Sprintf("%s[%d]", label, i)
		if f.Kind == KindList {
			items = append(items, p.value(f.Items, at, element))
			continue
		}
		row := Field{Kind: KindObject, Fields: f.Fields, Items: f.Items}
		items = append(items, p.value(&row, at, element))
	}
	return items
}

// renderSingle converts a single value to text, if that text would be converted back to the same value.
func renderSingle(f *Field, raw json.RawMessage) (Value, bool) {
	text, isText := schema.Text(raw)
	if !isText {
		text = string(raw)
	}
	switch f.Kind {
	case KindEnum: // the text alone may stand for several values, such as 1 and "1"
		for _, o := range f.Options {
			if same(json.RawMessage(o.Value), raw) {
				return Value{State: Set, Text: o.Text, JSON: string(raw)}, true
			}
		}
	case KindString:
		if !isText {
			return Value{}, false
		}
	case KindInteger, KindNumber, KindBoolean:
		if isText {
			return Value{}, false
		}
	case KindJSON:
		text = string(raw)
	}
	again, err := Convert(f, text)
	if err != nil || !same(again, raw) {
		return Value{}, false
	}
	return Value{State: Set, Text: text, JSON: string(raw)}, true
}

// same compares values, ignoring different string escapes and integer notations.
func same(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, okX := schema.Text(a)
	y, okY := schema.Text(b)
	if okX && okY {
		return x == y
	}
	return sameNumber(a, b)
}

// render converts a value without recording notices.
func render(f *Field, raw json.RawMessage) (Value, bool) {
	v, ok := (&parser{}).render(f, f.Name, raw)
	if !ok {
		return Value{State: Raw, JSON: string(raw)}, false
	}
	return v, true
}
