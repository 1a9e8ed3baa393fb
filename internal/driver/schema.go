package driver

import (
	"encoding/json"
	"reflect"
	"strings"

	lines "github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A Method describes one of the methods of the protocol.
type Method struct {
	Name, Doc      string
	Params, Result []Field
}

// A Field is a field of parameters or of a result.
type Field struct {
	Name, Type, Doc string
	Required        bool
}

// Methods describes the methods of the protocol, for the reference.
func Methods() []Method {
	var all []Method
	for _, m := range methods() {
		all = append(all, Method{m.name, m.doc, Fields(m.params), Fields(m.result)})
	}
	return all
}

// Fields lists the fields of a type of the protocol, those of embedded types included.
func Fields(t reflect.Type) []Field {
	var all []Field
	for _, f := range structFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		all = append(all, Field{name, typeName(f.Type), f.Tag.Get("doc"), options == ""})
	}
	return all
}

// Types are the types of fields that have fields themselves, in the order of the reference.
func Types() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Failure](), reflect.TypeFor[Response](), reflect.TypeFor[Frame](),
		reflect.TypeFor[SuiteTest](), reflect.TypeFor[Result](), reflect.TypeFor[Error](), reflect.TypeFor[ErrorData]()}
}

// structFields lists the fields of a struct in the order of its messages: those of its own first.
func structFields(t reflect.Type) []reflect.StructField {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var own, embedded []reflect.StructField
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			embedded = append(embedded, structFields(f.Type)...)
		} else {
			own = append(own, f)
		}
	}
	return append(own, embedded...)
}

// typeName is the JSON type of a field as the reference shows it.
func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return "any"
	case t.Kind() == reflect.Pointer:
		return typeName(t.Elem())
	case t.Kind() == reflect.Slice:
		return "list of " + typeName(t.Elem())
	case t.Kind() == reflect.Struct:
		return t.Name()
	}
	return map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer",
		reflect.Float64: "number"}[t.Kind()]
}

// Schema is the JSON Schema of the messages: requests and notifications of the client, and responses by method.
func Schema() json.RawMessage {
	defs := map[string]any{}
	for _, t := range Types() {
		defs[t.Name()] = objectSchema(t)
	}
	var requests []any
	results := map[string]any{}
	for _, m := range methods() {
		request := object(map[string]any{"jsonrpc": constant("2.0"), "method": constant(m.name),
			"id": map[string]any{"type": []string{"string", "integer"}}, "params": closed(objectSchema(m.params))},
			"jsonrpc", "id", "method")
		request["description"] = m.doc
		requests = append(requests, request)
		results[m.name] = objectSchema(m.result)
	}
	requests = append(requests, object(map[string]any{"jsonrpc": constant("2.0"), "method": constant("cancel"),
		"params": objectSchema(reflect.TypeFor[Cancel]())}, "jsonrpc", "method", "params"))
	return lines.Encode(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Requests of mcptest driver, protocol version 1",
		"oneOf": requests, "$defs": defs,
		"x-results": results,
	})
}

// objectSchema is the schema of a struct. Results may get more fields within a version of the protocol.
func objectSchema(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range structFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		one := typeSchema(f.Type)
		one["description"] = f.Tag.Get("doc")
		properties[name] = one
		if options == "" {
			required = append(required, name)
		}
	}
	return object(properties, required...)
}

func typeSchema(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return map[string]any{}
	case t.Kind() == reflect.Pointer:
		return typeSchema(t.Elem())
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": typeSchema(t.Elem())}
	case t.Kind() == reflect.Struct:
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	}
	return map[string]any{"type": typeName(t)}
}

func object(properties map[string]any, required ...string) map[string]any {
	out := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// closed allows no other fields: the driver rejects unknown parameters.
func closed(object map[string]any) map[string]any {
	object["additionalProperties"] = false
	return object
}

func constant(value string) map[string]any { return map[string]any{"const": value} }
