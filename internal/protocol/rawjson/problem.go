package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Problem rewords an error of a JSON decoder, whose messages contain names of Go types and functions, in terms of the
// text: where it is not JSON, or which property has the wrong type. Other errors are returned unchanged.
func Problem(text []byte, err error) error {
	var syntax *json.SyntaxError
	var syntactic *jsontext.SyntacticError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case len(bytes.TrimSpace(text)) == 0 && (errors.Is(err, io.EOF) || errors.As(err, &syntax)):
		return errors.New("empty, expected JSON")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end"):
		return at(text, len(bytes.TrimRight(text, " \t\r\n")), "unexpected end")
	case errors.As(err, &syntax):
		return at(text, int(syntax.Offset)-1, syntax.Error())
	case errors.As(err, &syntactic):
		return at(text, int(syntactic.ByteOffset), strings.TrimPrefix(syntactic.Err.Error(), "jsontext: "))
	case errors.As(err, &kind):
		expected := fmt.Sprintf("expected %s, got %s", jsonKind(kind.Type), article(kind.Value))
		if kind.Field != "" {
			expected = kind.Field + ": " + expected
		}
		return errors.New(expected)
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return err
}

// at adds the position; lines and columns start at 1.
func at(text []byte, offset int, what string) error {
	before := text[:max(0, min(offset, len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1)
	return fmt.Errorf("not JSON: %s (line %d, column %d)", what, line, column)
}

// jsonKind returns the kind of JSON value that a Go type is read from.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return jsonKind(t.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "an integer in range"
	}
	return "a number"
}

// article names the value that encoding/json found, such as "string" or "number 1.5".
func article(value string) string {
	if value == "bool" {
		return "a boolean"
	}
	if value == "object" || value == "array" {
		return "an " + value
	}
	return "a " + value
}
