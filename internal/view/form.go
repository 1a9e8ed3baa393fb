package view

import "github.com/mcptest-dev/mcptest/internal/protocol/arguments"

// A ToolForm is the form for the arguments of a tool.
type ToolForm struct {
	Tool             string          `json:"tool"`
	Form             *arguments.Form `json:"form"`
	Start            arguments.Value `json:"start"`             // the initial values of the form
	InputSchemaJSON  string          `json:"input_schema_json"` // indented, otherwise unchanged
	OutputSchemaJSON string          `json:"output_schema_json,omitempty"`
	Examination      Examination     `json:"examination"` // of the initial values
}

// A Typed is the user's input for the arguments of a tool: in the form, or as JSON.
type Typed struct {
	Tool  string           `json:"tool"`
	Value *arguments.Value `json:"value,omitempty"`
	JSON  *string          `json:"json,omitempty"`
}

// An Examination is what would be sent, and its problems.
type Examination struct {
	// exactly what would be sent; empty if the input is invalid JSON
	ArgumentsJSON string       `json:"arguments_json"`
	OK            bool         `json:"ok"` // no reason to hold it back
	Fields        []FieldState `json:"fields"`
	// text that could not be converted to its type; with "send anyway" it is sent as JSON or as a string
	Errors     []arguments.FieldError `json:"errors"`
	Violations []Violation            `json:"violations"`
	Cautions   []arguments.Notice     `json:"cautions"`
	Notices    []arguments.Notice     `json:"notices"` // parts of the JSON input that a form cannot show
	Fixes      []Fix                  `json:"fixes"`
	// the JSON input with every fix applied, if that makes it valid: Run sends it, and the page shows both
	ConvertedJSON string           `json:"converted_json,omitempty"`
	Unchecked     string           `json:"unchecked,omitempty"` // why the arguments cannot be validated
	Warning       string           `json:"warning,omitempty"`   // valid, but ambiguous: a duplicate name
	Syntax        *Syntax          `json:"syntax,omitempty"`    // where the JSON input is invalid
	Value         *arguments.Value `json:"value,omitempty"`     // the form values for the JSON input
}

// A FieldState is the state of one form field.
type FieldState struct {
	Path    string `json:"path"`    // display path, with items counted as in the form: user.tags[0]
	Pointer string `json:"pointer"` // into the arguments; empty while it is unset
	State   string `json:"state"`   // unset, null, empty, value
	JSON    string `json:"json,omitempty"`
	Problem string `json:"problem,omitempty"`
	Remark  string `json:"remark,omitempty"` // about a value that is sent as it is: it does not have the named format
}

// A Syntax is the position where text stops being JSON.
type Syntax struct {
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Offset  int    `json:"offset"` // in bytes
}

// A SampleInput requests example arguments.
type SampleInput struct {
	Tool string `json:"tool"`
	Seed int    `json:"seed"`
}

// A FixInput requests a suggested edit of the arguments.
type FixInput struct {
	Tool          string `json:"tool"`
	ArgumentsJSON string `json:"arguments_json"`
	Edits         []Edit `json:"edits"`
}
