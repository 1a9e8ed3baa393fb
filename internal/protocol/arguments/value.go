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
	Name  string  `json:"name,omitempty"` // of a property; empty for an item
	State State   `json:"state"`
	Text  string  `json:"text,omitempty"`  // of a single value, as typed
	Items []Value `json:"items,omitempty"` // of a list, of rows, and the properties of an object or row
	// the original JSON text, if there is one; sent again while Text is equivalent
	JSON string `json:"json,omitempty"`
}

// Start returns the initial values of a form: defaults are set, and stay in the request unless the user unsets
// them; a required null is set, as it has no input. Everything else is unset.
func (f *Form) Start() Value {
	start := Value{State: Set}
	for i := range f.Fields {
		field := &f.Fields[i]
		v := Value{Name: field.Name, State: Unset}
		switch {
		case field.Default != "":
			v, _ = render(field, json.RawMessage(field.Default))
			v.Name = field.Name
		case field.Kind == KindNull && field.Required:
			v.State = Null
		}
		start.Items = append(start.Items, v)
	}
	return start
}

// jsonText encodes a JSON string with minimal escapes.
func jsonText(s string) json.RawMessage {
	quoted, _ := jsontext.AppendQuote(nil, s)
	return json.RawMessage(quoted)
}
