// Package arguments converts user input to the arguments of a call.
//
// It decides, for all surfaces, whether a tool's input can be entered in a form, which fields the form has, how
// text is converted to JSON, and what is omitted, null or empty. Text is converted according to the schema;
// JSON from the user is validated and sent unchanged. Values are passed to a page as JSON text inside strings,
// so that no parser in between can change them.
package arguments

// A Mode is how the input of a tool can be entered.
type Mode string

// The modes. JSON is available for every tool, a form is not.
const (
	ModeForm Mode = "form"
	ModeJSON Mode = "json"
)

// A Form is the model of the input form for one tool.
type Form struct {
	Mode   Mode    `json:"mode"`
	Reason string  `json:"reason,omitempty"` // why there is no form; empty if there is one
	Fields []Field `json:"fields"`           // in the order of the schema; empty in JSON mode
}

// A Kind is the kind of a field, which determines its control.
type Kind string

// The kinds of fields.
const (
	KindInteger Kind = "integer" // a number input with step 1
	KindNumber  Kind = "number"
	KindString  Kind = "string"
	KindBoolean Kind = "boolean" // a checkbox; unset is a separate state
	KindNull    Kind = "null"    // no input
	KindEnum    Kind = "enum"    // one of Options
	KindList    Kind = "list"    // values of the kind of Items, added and removed one by one
	KindRows    Kind = "rows"    // objects with Fields, added and removed one by one
	KindObject  Kind = "object"  // a fieldset of Fields
	KindJSON    Kind = "json"    // a value of undeclared type, typed as JSON; only inside an open list or object
)

// A Field is one input of a form. Values are JSON text.
type Field struct {
	Name        string   `json:"name"`
	Kind        Kind     `json:"kind"`
	Label       string   `json:"label"` // the title, else the name
	Description string   `json:"description,omitempty"`
	Required    bool     `json:"required"`
	Nullable    bool     `json:"nullable,omitempty"` // null can be set explicitly
	Default     string   `json:"default,omitempty"`
	Examples    []string `json:"examples,omitempty"`
	Step        string   `json:"step,omitempty"` // 1 for an integer, else multipleOf
	Format      string   `json:"format,omitempty"`
	Limits      *Limits  `json:"limits,omitempty"`
	Options     []Option `json:"options,omitempty"` // of an enum
	Items       *Field   `json:"items,omitempty"`   // of a list, and of the undeclared properties of an open object
	Fields      []Field  `json:"fields,omitempty"`  // of an object and of rows
	// an object or rows without declared properties: property names are free
	Open bool `json:"open,omitempty"`
}

// Limits are the constraints that a surface may show and check early. Numbers are JSON text, to stay exact.
type Limits struct {
	Minimum          string `json:"minimum,omitempty"`
	Maximum          string `json:"maximum,omitempty"`
	ExclusiveMinimum string `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum string `json:"exclusiveMaximum,omitempty"`
	MultipleOf       string `json:"multipleOf,omitempty"`
	MinLength        string `json:"minLength,omitempty"`
	MaxLength        string `json:"maxLength,omitempty"`
	Pattern          string `json:"pattern,omitempty"`
	MinItems         string `json:"minItems,omitempty"`
	MaxItems         string `json:"maxItems,omitempty"`
	UniqueItems      bool   `json:"uniqueItems,omitempty"`
}

// An Option is one value of an enum.
type Option struct {
	Value string `json:"value"` // JSON text
	Text  string `json:"text"`  // the text to type for it: the content of a string, else the JSON text
	Title string `json:"title"` // the display text
}

// field finds a field by name.
func field(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}
