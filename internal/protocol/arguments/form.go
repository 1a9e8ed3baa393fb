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
	// the objects between which the schema lets the user choose; then Fields is empty, see [Form.Chosen]
	Variants []Field `json:"variants,omitempty"`
	// of the undeclared properties, if the schema describes them: their names are free
	Items *Field `json:"items,omitempty"`
	// the structures that fields refer to by name, because they contain themselves
	Definitions []Field `json:"definitions,omitempty"`
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
	KindTuple   Kind = "tuple"   // a list with Fields by position
	KindObject  Kind = "object"  // a fieldset of Fields
	KindUnion   Kind = "union"   // one of Variants
	KindJSON    Kind = "json"    // a value of undeclared type, or one that only JSON can express; see Reason
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
	Fields      []Field  `json:"fields,omitempty"`  // of an object, of rows and of a tuple
	Variants    []Field  `json:"variants,omitempty"`
	// an object or rows that accepts undeclared properties: their names are free
	Open bool `json:"open,omitempty"`
	// why a field of kind json has no other input; empty if any value is allowed, and then plain text is a string
	Reason string `json:"reason,omitempty"`
	// the value with which the field starts when the object that contains it is created; nil for unset
	Initial *Value `json:"initial,omitempty"`
	// the definition with the structure of this field, which is nested in itself; see [Field.Shape]
	Ref    string `json:"ref,omitempty"`
	Target *Field `json:"-"` // the definition that Ref names
}

// Shape returns the field with its structure, which may be in a definition.
func (f *Field) Shape() *Field {
	if f == nil || f.Target == nil {
		return f
	}
	whole := *f
	whole.take(f.Target)
	whole.Ref, whole.Target = "", nil
	return &whole
}

// take copies a structure.
func (f *Field) take(from *Field) {
	f.Kind, f.Fields, f.Items, f.Variants, f.Open = from.Kind, from.Fields, from.Items, from.Variants, from.Open
}

// Chosen returns the form of the variant that a value uses, and the value in it. A form without variants is returned
// unchanged.
func (f *Form) Chosen(v Value) (*Form, Value) {
	if len(f.Variants) == 0 {
		return f, v
	}
	at := v.Variant
	if at < 0 || at >= len(f.Variants) {
		at = 0
	}
	var inner Value
	if at < len(v.Variants) {
		inner = v.Variants[at]
	}
	variant := f.Variants[at].Shape()
	return &Form{Mode: f.Mode, Fields: variant.Fields, Items: variant.Items, Definitions: f.Definitions}, inner
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
