package inspector

import (
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
)

// A ToolForm is all that is needed to ask for the arguments of a tool.
type ToolForm struct {
	Tool             string          `json:"tool"`
	Form             *arguments.Form `json:"form"`
	Start            arguments.Value `json:"start"`             // what the form shows before anything is typed
	InputSchemaJSON  string          `json:"input_schema_json"` // indented, otherwise as it came
	OutputSchemaJSON string          `json:"output_schema_json,omitempty"`
	Examination      Examination     `json:"examination"` // of the start
}

// A Typed is what a person typed for the arguments of a tool: in the form, or as JSON.
type Typed struct {
	Tool  string           `json:"tool"`
	Value *arguments.Value `json:"value,omitempty"`
	JSON  *string          `json:"json,omitempty"`
}

// An Examination is what would be sent, and what is to be said about it before.
type Examination struct {
	ArgumentsJSON string                 `json:"arguments_json"` // exactly what would be sent; empty where JSON was typed that is none
	OK            bool                   `json:"ok"`             // there is nothing to hold it back for
	Fields        []FieldState           `json:"fields"`
	Errors        []arguments.FieldError `json:"errors"` // text that did not become a value of its type; with "send anyway" it goes as JSON or as a string
	Violations    []Violation            `json:"violations"`
	Cautions      []arguments.Notice     `json:"cautions"`
	Notices       []arguments.Notice     `json:"notices"` // what a form cannot show of JSON that was typed
	Fixes         []Fix                  `json:"fixes"`
	Unchecked     string                 `json:"unchecked,omitempty"` // why the arguments cannot be checked
	Syntax        *Syntax                `json:"syntax,omitempty"`    // where JSON that was typed is none
	Value         *arguments.Value       `json:"value,omitempty"`     // what the form shows of JSON that was typed
}

// A FieldState is what one field of the form comes to.
type FieldState struct {
	Path    string `json:"path"`    // as people write it, counting items as in the form: user.tags[0]
	Pointer string `json:"pointer"` // into the arguments; empty while it is unset
	State   string `json:"state"`   // unset, null, empty, value
	JSON    string `json:"json,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// A Syntax says where text stops being JSON.
type Syntax struct {
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Offset  int    `json:"offset"` // in bytes
}

// A SampleInput asks for example arguments.
type SampleInput struct {
	Tool string `json:"tool"`
	Seed int    `json:"seed"`
}

// A FixInput asks for an edit of the arguments that is on offer.
type FixInput struct {
	Tool          string `json:"tool"`
	ArgumentsJSON string `json:"arguments_json"`
	Edits         []Edit `json:"edits"`
}
