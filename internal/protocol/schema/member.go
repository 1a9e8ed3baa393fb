package schema

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// A Member is one name and value of an object, as written in the document.
type Member struct {
	Name  string          // the name, unescaped
	Key   json.RawMessage // the name as written, quotes included
	Value json.RawMessage
}

// Members splits an object into its fields, in document order, with duplicates. It checks only this level: an
// invalid value is detected when its own fields are read.
func Members(obj json.RawMessage) ([]Member, error) {
	var buffer [16]memberSpan
	spans, brace, err := objectSpans(obj, 0, buffer[:0])
	if err != nil {
		return nil, err
	}
	if end := skipSpace(obj, brace+1); end != len(obj) {
		return nil, &SyntaxError{end, "the end of the document"}
	}
	members := make([]Member, len(spans))
	for i, s := range spans {
		key := s.key.of(obj)
		members[i] = Member{Name: text(key), Key: key, Value: s.value.of(obj)}
	}
	return members, nil
}

// Elements splits an array into its elements. Like [Members] it checks only this level.
func Elements(arr json.RawMessage) ([]json.RawMessage, error) {
	var buffer [16]span
	spans, bracket, err := arraySpans(arr, 0, buffer[:0])
	if err != nil {
		return nil, err
	}
	if end := skipSpace(arr, bracket+1); end != len(arr) {
		return nil, &SyntaxError{end, "the end of the document"}
	}
	elements := make([]json.RawMessage, len(spans))
	for i, s := range spans {
		elements[i] = s.of(arr)
	}
	return elements, nil
}

// Kind returns the first byte of a value: one of { [ " t f n 0, where 0 represents every number. It is 0 for
// nothing.
func Kind(value json.RawMessage) byte {
	i := skipSpace(value, 0)
	if i >= len(value) {
		return 0
	}
	if c := value[i]; c == '-' || c >= '0' && c <= '9' {
		return '0'
	}
	return value[i]
}

// Text returns the content of a JSON string, and whether value is one.
func Text(value json.RawMessage) (string, bool) {
	if Kind(value) != '"' {
		return "", false
	}
	return text(bytes.TrimSpace(value)), true
}

// Plain returns the content of a JSON string, and any other value as it is.
func Plain(value json.RawMessage) string {
	if s, ok := Text(value); ok {
		return s
	}
	return string(value)
}

// text unescapes a JSON string. A lone surrogate becomes U+FFFD.
func text(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 && len(quoted) >= 2 {
		return intern(quoted[1 : len(quoted)-1])
	}
	plain, _ := jsontext.AppendUnquote(nil, quoted)
	return string(plain)
}

// TypeOf returns the type of a value, as the keyword type names it.
func TypeOf(raw json.RawMessage) string {
	switch Kind(raw) {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case '0':
		for _, c := range raw {
			if c == '.' || c == 'e' || c == 'E' {
				return "number"
			}
		}
		return "integer"
	case 't', 'f':
		return "boolean"
	}
	return "null"
}
