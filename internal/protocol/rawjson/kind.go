// Package rawjson inspects JSON texts without decoding them.
package rawjson

import "github.com/go-json-experiment/json/jsontext"

// KindName returns the display name of the kind of a value: an object, an array, a string, a number, a boolean,
// null, or nothing.
func KindName(value []byte) string {
	switch jsontext.Value(value).Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "nothing"
}
