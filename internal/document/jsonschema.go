package document

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// A Described is a value that provides its own JSON Schema, since it decodes itself.
type Described interface{ JSONSchema() json.RawMessage }

// A Defined is a Described whose schema refers to its own definitions.
type Defined interface {
	Definitions() []Definition
}

// A Definition is a member of $defs.
type Definition struct {
	Name   string
	Schema json.RawMessage
}

var describedType = reflect.TypeFor[Described]()

// Schema is the JSON Schema of files that Decode reads into a struct of the type of root.
func Schema(id, title string, root any) json.RawMessage {
	s := &schemaWriter{defs: map[string]json.RawMessage{}}
	body := s.structure(reflect.TypeOf(root))
	out := object("$schema", rawjson.Quote("https://json-schema.org/draft/2020-12/schema"), "$id", rawjson.Quote(id), "title",
		rawjson.Quote(title))
	out = append(out[:len(out)-1], ',')
	out = append(out, body[1:len(body)-1]...)
	out = append(out, `,"$defs":{`...)
	for i, name := range s.order {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(rawjson.AppendQuote(out, name), ':'), s.defs[name]...)
	}
	out = append(out, "}}"...)
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, out, "", "  "); err != nil {
		panic("the schema is not JSON: " + err.Error())
	}
	return pretty.Bytes()
}

// A schemaWriter writes each struct once.
type schemaWriter struct {
	defs  map[string]json.RawMessage
	order []string
}

func (s *schemaWriter) typ(t reflect.Type) json.RawMessage {
	if reflect.PointerTo(t).Implements(describedType) {
		if t.Kind() == reflect.Struct && len(fieldsOf(t)) > 0 {
			s.ref(t) // referenced by its own schema
		}
		value := reflect.New(t).Interface()
		if d, ok := value.(Defined); ok {
			s.define(d.Definitions())
		}
		return value.(Described).JSONSchema()
	}
	switch {
	case t == rawType, t == nodeType:
		return json.RawMessage(`{}`)
	case t == durationType:
		return json.RawMessage(`{"type":"string","pattern":"^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"}`)
	case t.Kind() == reflect.Pointer:
		return s.typ(t.Elem())
	case t.Kind() == reflect.Struct:
		return s.ref(t)
	case t.Kind() == reflect.Slice:
		item := s.typ(t.Elem()) // which may be written without brackets
		return object("items", item, "if", json.RawMessage(`{"not":{"type":"array"}}`), "then", item)
	case t.Kind() == reflect.Map:
		return object("type", rawjson.Quote("object"), "additionalProperties", s.typ(t.Elem()))
	case t.Kind() == reflect.Bool:
		return json.RawMessage(`{"type":"boolean"}`)
	case t.Kind() == reflect.Int:
		return json.RawMessage(`{"type":"integer"}`)
	case t.Kind() == reflect.Float64:
		return json.RawMessage(`{"type":"number"}`)
	}
	return json.RawMessage(`{"type":["string","number","boolean"]}`)
}

func (s *schemaWriter) define(definitions []Definition) {
	for _, d := range definitions {
		if _, done := s.defs[d.Name]; !done {
			s.defs[d.Name] = d.Schema
			s.order = append(s.order, d.Name)
		}
	}
}

func (s *schemaWriter) ref(t reflect.Type) json.RawMessage {
	name := strings.ToLower(t.Name())
	if _, done := s.defs[name]; !done {
		s.defs[name] = nil
		s.order = append(s.order, name)
		s.defs[name] = s.structure(t)
	}
	return object("$ref", rawjson.Quote("#/$defs/"+name))
}

func (s *schemaWriter) structure(t reflect.Type) json.RawMessage {
	properties, required := []byte{'{'}, []byte{'['}
	for _, f := range fieldsOf(t) {
		if f.hidden {
			continue
		}
		schema := s.typ(f.typ)
		if f.enum != "" {
			values, _ := json.Marshal(strings.Split(f.enum, "|"))
			schema = object("enum", json.RawMessage(values))
		}
		if f.doc != "" {
			schema = with(schema, "description", rawjson.Quote(strings.ToUpper(f.doc[:1])+f.doc[1:]+"."))
		}
		if f.usual != "" {
			schema = with(schema, "default", fromYAML(f.usual))
		}
		if f.example != "" {
			schema = with(schema, "examples", json.RawMessage("["+string(fromYAML(f.example))+"]"))
		}
		if len(properties) > 1 {
			properties = append(properties, ',')
		}
		properties = append(append(rawjson.AppendQuote(properties, f.name), ':'), schema...)
		if f.required {
			if len(required) > 1 {
				required = append(required, ',')
			}
			required = rawjson.AppendQuote(required, f.name)
		}
	}
	out := []any{"type", rawjson.Quote("object"), "additionalProperties", json.RawMessage("false"), "properties",
		json.RawMessage(append(properties, '}'))}
	if len(required) > 1 {
		out = append(out, "required", json.RawMessage(append(required, ']')))
	}
	return object(out...)
}

// fromYAML converts the value of a tag to JSON.
func fromYAML(text string) json.RawMessage {
	node, problems := Parse("", []byte(text))
	if len(problems) > 0 {
		panic("a tag is not YAML: " + text)
	}
	return node.JSON()
}

// with adds a member to an object.
func with(schema json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	if string(schema) == "{}" {
		return object(name, value)
	}
	out := append([]byte(nil), schema[:len(schema)-1]...)
	return append(append(append(append(append(out, ','), rawjson.Quote(name)...), ':'), value...), '}')
}

func object(pairs ...any) json.RawMessage {
	out := []byte{'{'}
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(rawjson.AppendQuote(out, pairs[i].(string)), ':'), pairs[i+1].(json.RawMessage)...)
	}
	return append(out, '}')
}
