package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// membersOf lists the keys and values of an object in order, the values as slices of its bytes.
func membersOf(object json.RawMessage) (keys []string, values []json.RawMessage, err error) {
	dec := decode(object, lenient...)
	defer dec.release()
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, nil, err
	}
	if tok.Kind() != '{' {
		return nil, nil, fmt.Errorf("found %s, expected an object", rawjson.KindName(object))
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadValue()
		if err != nil {
			return keys, values, err
		}
		key := memberName(name)
		value, err := dec.ReadValue()
		if err != nil {
			return keys, values, err
		}
		end := int(dec.InputOffset())
		keys, values = append(keys, key), append(values, object[end-len(value):end:end])
	}
	_, err = dec.ReadToken()
	return keys, values, err
}

// elementsOf lists the elements of an array, as slices of its bytes.
func elementsOf(array json.RawMessage) ([]json.RawMessage, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(array), lenient...)
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	if tok.Kind() != '[' {
		return nil, fmt.Errorf("found %s, expected an array", rawjson.KindName(array))
	}
	var items []json.RawMessage
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			return items, err
		}
		end := int(dec.InputOffset())
		items = append(items, array[end-len(value):end:end])
	}
	return items, nil
}
