package schema

import "encoding/json"

// Filter returns an object with the members for which keep returns true, each with the value that keep returns. All other
// bytes are unchanged; an object of which nothing is removed or replaced is returned itself. Like [Members] it checks only
// this level.
func Filter(obj json.RawMessage, keep func(name string, value json.RawMessage) (json.RawMessage, bool)) (json.RawMessage, error) {
	var buffer [16]memberSpan
	spans, brace, err := objectSpans(obj, 0, buffer[:0])
	if err != nil {
		return nil, err
	}
	if end := skipSpace(obj, brace+1); end != len(obj) {
		return nil, &SyntaxError{end, "the end of the document"}
	}
	var few [16]json.RawMessage
	values, changed, kept := few[:0], false, 0 // nil for a member that is removed
	for _, s := range spans {
		value := s.value.of(obj)
		replaced, ok := keep(text(s.key.of(obj)), value)
		switch {
		case !ok:
			replaced, changed = nil, true
		case len(replaced) != len(value) || &replaced[0] != &value[0]:
			changed = true
			fallthrough
		default:
			kept++
		}
		values = append(values, replaced)
	}
	switch {
	case !changed:
		return obj, nil
	case kept == 0:
		return append(obj[:spans[0].key.start:spans[0].key.start], obj[brace:]...), nil
	}
	return assemble(obj, spans, values), nil
}

// assemble writes the object with these values; one that is nil is omitted with its name, comma and whitespace.
func assemble(obj []byte, spans []memberSpan, values []json.RawMessage) json.RawMessage {
	b := append(make([]byte, 0, len(obj)), obj[:spans[0].key.start]...)
	first := true
	for i, s := range spans {
		if values[i] == nil {
			continue
		}
		if !first {
			b = append(b, obj[spans[i-1].value.end:s.key.start]...)
		}
		first = false
		b = append(b, obj[s.key.start:s.value.start]...)
		b = append(b, values[i]...)
	}
	return append(b, obj[spans[len(spans)-1].value.end:]...)
}
