package arguments

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// A State is what the user did with a field.
type State string

// The states of a field. Only unset omits it from the request.
const (
	Unset State = "unset"
	Set   State = "set"
	Null  State = "null" // set to null
	Raw   State = "raw"  // JSON that the form cannot show; it is kept and sent unchanged
)

// A Value is the value of a field while the user edits it. The zero value is unset.
type Value struct {
	Name  string  `json:"name,omitempty"` // of a property, or the position in a tuple; empty for an item
	State State   `json:"state"`
	Text  string  `json:"text,omitempty"`  // of a single value, as typed
	Items []Value `json:"items,omitempty"` // of a list, of rows, and the properties of an object or row; of a tuple by position
	// the original JSON text, if there is one; sent again while Text is equivalent
	JSON string `json:"json,omitempty"`
	// of a union: the chosen variant, and the values of the variants by position; values of others are kept, not sent
	Variant  int     `json:"variant,omitempty"`
	Variants []Value `json:"variants,omitempty"`
}

// chosen returns the value of the chosen variant of a union.
func (v *Value) chosen() Value {
	if v.Variant < 0 || v.Variant >= len(v.Variants) {
		return Value{State: Unset}
	}
	return v.Variants[v.Variant]
}

// Chosen returns the variant of a union that a value uses, and the value in it; nil for any other field.
func (f *Field) Chosen(v *Value) (*Field, *Value) {
	if f.Kind != KindUnion || v.State != Set || v.Variant < 0 || v.Variant >= len(f.Variants) {
		return nil, nil
	}
	inner := v.chosen()
	return f.Variants[v.Variant].Shape(), &inner
}

// jsonText encodes a JSON string with minimal escapes.
func jsonText(s string) json.RawMessage {
	quoted, _ := jsontext.AppendQuote(nil, s)
	return json.RawMessage(quoted)
}
