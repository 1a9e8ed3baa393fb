package schema

import "encoding/json"

// flat is an object schema whose properties have only a type: most arguments of tools. It accepts a valid value of
// scalars in one pass without decoding it. It never rejects: what it does not accept is validated in full.
type flat struct {
	properties map[string]flatProperty
	required   uint64 // bits of properties
	closed     bool   // additionalProperties is false
}

type flatProperty struct {
	bit  uint64
	kind string // the JSON type; "" is any
}

// maxFlat is the maximum number of properties and of members.
const maxFlat = 64

// flatten returns the schema as a flat one; nil if it has any other keyword.
func flatten(raw json.RawMessage, formats bool) *flat {
	members, err := Members(raw)
	if err != nil {
		return nil
	}
	f := &flat{}
	object, required := false, json.RawMessage(nil)
	for _, m := range members {
		switch m.Name {
		case "type":
			object = string(m.Value) == `"object"`
		case "properties":
			if f.properties != nil || !f.addProperties(m.Value, formats) {
				return nil
			}
		case "required":
			required = m.Value
		case "additionalProperties":
			if f.closed = string(m.Value) == "false"; !f.closed && string(m.Value) != "true" {
				return nil
			}
		case "$schema", "title", "description":
		default:
			return nil
		}
	}
	if !object || !f.require(required) {
		return nil
	}
	return f
}

func (f *flat) addProperties(raw json.RawMessage, formats bool) bool {
	members, err := Members(raw)
	if err != nil || len(members) > maxFlat {
		return false
	}
	f.properties = map[string]flatProperty{}
	for i, m := range members {
		kind, ok := flatType(m.Value, formats)
		if _, twice := f.properties[m.Name]; !ok || twice {
			return false
		}
		f.properties[m.Name] = flatProperty{1 << i, kind}
	}
	return true
}

// flatType returns the type of a property without constraints.
func flatType(raw json.RawMessage, formats bool) (kind string, ok bool) {
	members, err := Members(raw)
	if err != nil {
		return "", false
	}
	for _, m := range members {
		switch m.Name {
		case "type":
			if kind, ok = Text(m.Value); !ok {
				return "", false
			}
		case "title", "description", "default", "examples":
		case "format":
			if formats {
				return "", false
			}
		default:
			return "", false
		}
	}
	return kind, true
}

func (f *flat) require(raw json.RawMessage) bool {
	if raw == nil {
		return true
	}
	names, err := Elements(raw)
	if err != nil {
		return false
	}
	for _, one := range names {
		name, _ := Text(one)
		property, ok := f.properties[name]
		if !ok {
			return false
		}
		f.required |= property.bit
	}
	return true
}

// accepts reports whether a value is certainly JSON and certainly valid.
func (f *flat) accepts(value json.RawMessage) bool {
	var buffer [16]memberSpan
	spans, brace, err := objectSpans(value, 0, buffer[:0])
	if err != nil || len(spans) > maxFlat || skipSpace(value, brace+1) != len(value) {
		return false
	}
	var seen uint64
	for _, s := range spans {
		key := s.key.of(value)
		if !plainString(key) {
			return false
		}
		property, known := f.properties[string(key[1:len(key)-1])]
		if !known && f.closed {
			return false
		}
		kind := plainKind(s.value.of(value))
		if kind == "" || property.kind != "" && kind != property.kind &&
			(kind != "integer" || property.kind != "number") {
			return false
		}
		seen |= property.bit
	}
	return seen&f.required == f.required
}

// plainKind returns the type of a scalar that is certainly JSON: a string without escapes, a short integer, a literal.
func plainKind(value []byte) string {
	switch {
	case plainString(value):
		return "string"
	case plainInteger(value):
		return "integer"
	case string(value) == "true", string(value) == "false":
		return "boolean"
	case string(value) == "null":
		return "null"
	}
	return ""
}

func plainString(text []byte) bool {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return false
	}
	for _, c := range text[1 : len(text)-1] {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func plainInteger(text []byte) bool {
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 15 || text[0] == '0' && len(text) > 1 {
		return false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
