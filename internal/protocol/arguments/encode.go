package arguments

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Encode builds the arguments of a call. Properties are in the order of the value's items. All errors are
// reported; with errors the arguments are nil.
func (f *Form) Encode(v Value) (json.RawMessage, []FieldError) {
	e := encoder{}
	f, v = f.Chosen(v)
	raw := e.object(f.Fields, f.Items, "", v.Items)
	if len(e.errors) > 0 {
		return nil, e.errors
	}
	return raw, nil
}

// EncodeAnyway also encodes what cannot be converted, if the user insists: such text is sent as JSON if it is
// valid, or else as a string. The errors are those of Encode.
func (f *Form) EncodeAnyway(v Value) (json.RawMessage, []FieldError) {
	e := encoder{insist: true}
	f, v = f.Chosen(v)
	return e.object(f.Fields, f.Items, "", v.Items), e.errors
}

type encoder struct {
	insist bool // send what cannot be converted as typed
	errors []FieldError
}

func (e *encoder) fail(err *FieldError, label string) json.RawMessage {
	message := strings.TrimPrefix(err.Message, err.Field+": ")
	e.errors = append(e.errors, FieldError{label, err.Text, err.Want, label + ": " + message})
	if e.insist {
		return asTyped(err.Text)
	}
	return json.RawMessage("null")
}

// asTyped returns text as JSON: unchanged if it is valid JSON, else as a string.
func asTyped(text string) json.RawMessage {
	if validJSON(text) {
		return json.RawMessage(text)
	}
	return jsonText(text)
}

// object writes the properties that are not unset, and the required ones that can only be null. Undeclared ones
// are described by open, or kept unchanged.
func (e *encoder) object(fields []Field, open *Field, prefix string, items []Value) json.RawMessage {
	raw := json.RawMessage("{")
	put := func(name string, value json.RawMessage) {
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(append(append(raw, jsonText(name)...), ':'), value...)
	}
	for _, item := range items {
		if item.State == Unset || item.State == "" {
			continue
		}
		described := field(fields, item.Name)
		if described == nil {
			described = open
		}
		put(item.Name, e.value(described, join(prefix, item.Name), item))
	}
	for _, f := range fields {
		given := slices.ContainsFunc(items, func(v Value) bool { return v.Name == f.Name })
		if f.Kind == KindNull && f.Required && !given {
			put(f.Name, json.RawMessage("null"))
		}
	}
	return append(raw, '}')
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// value writes one value that is not unset.
func (e *encoder) value(f *Field, label string, v Value) json.RawMessage {
	f = f.Shape()
	switch {
	case v.State == Raw:
		return e.unchanged(label, v)
	case f == nil:
		return e.fail(fieldError(label, v.Text, "a declared property", "is not declared"), label)
	case v.State == Null && (f.Nullable || f.Kind == KindNull):
		return json.RawMessage("null")
	case v.State == Null:
		return e.fail(fieldError(label, "null", string(f.Kind), "is not allowed"), label)
	case f.Kind == KindNull:
		return json.RawMessage("null")
	}
	switch f.Kind {
	case KindObject:
		return e.object(f.Fields, f.Items, label, v.Items)
	case KindList, KindRows:
		return e.list(f, label, v.Items)
	case KindTuple:
		return e.tuple(f, label, v.Items)
	case KindUnion:
		variant, inner := f.Chosen(&v)
		if variant == nil || inner.State == Unset || inner.State == "" {
			return e.fail(fieldError(label, "", "one of the variants", "is not a value"), label)
		}
		return e.value(variant, label, *inner)
	}
	return e.single(f, label, v)
}

func (e *encoder) unchanged(label string, v Value) json.RawMessage {
	if !validJSON(v.JSON) {
		return e.fail(fieldError(label, v.JSON, "JSON", "is not valid JSON"), label)
	}
	return json.RawMessage(v.JSON)
}

// single converts text. If the text is equivalent to the original JSON, that is sent byte for byte.
func (e *encoder) single(f *Field, label string, v Value) json.RawMessage {
	if v.JSON != "" && validJSON(v.JSON) {
		if original, ok := render(f, json.RawMessage(v.JSON)); ok && original.State == Set && original.Text == v.Text {
			return json.RawMessage(v.JSON)
		}
	}
	raw, err := Convert(f, v.Text)
	if err != nil {
		return e.fail(err, label)
	}
	return raw
}

func (e *encoder) list(f *Field, label string, items []Value) json.RawMessage {
	raw := json.RawMessage("[")
	for i, item := range items {
		if item.State == Unset || item.State == "" {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		at := fmt.Sprintf("%s[%d]", label, i)
		if f.Kind == KindRows && item.State == Set {
			raw = append(raw, e.object(f.Fields, f.Items, at, item.Items)...)
			continue
		}
		raw = append(raw, e.value(f.Items, at, item)...)
	}
	return append(raw, ']')
}
