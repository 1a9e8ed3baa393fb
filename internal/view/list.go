package view

// A List is one of a server's lists, with all pages.
type List struct {
	Kind      string    `json:"kind"` // tools, resources, templates, prompts
	Items     []Item    `json:"items"`
	Problems  []string  `json:"problems"` // what prevented reading the complete list
	Refused   *RPCError `json:"refused,omitempty"`
	Frames    []int     `json:"frames"` // the responses, one per page
	ElapsedNS int64     `json:"elapsed_ns"`
}

// An Item is an entry of a list.
type Item struct {
	Name        string `json:"name"` // of a resource its uri, of a template its uriTemplate
	Title       string `json:"title,omitempty"`
	Label       string `json:"label,omitempty"` // the name of a resource or template
	Description string `json:"description,omitempty"`
	RawJSON     string `json:"raw_json"`
	Frame       int    `json:"frame"`
	Odd         string `json:"odd,omitempty"` // why it is not valid

	// Of tools.
	Signature   string    `json:"signature,omitempty"` // (a, b?)
	Annotations []Badge   `json:"annotations,omitempty"`
	Findings    []Finding `json:"findings,omitempty"`
	Form        bool      `json:"form"`                   // whether its input can be entered in a form
	Output      bool      `json:"output"`                 // whether it declares an output schema
	View        string    `json:"view,omitempty"`         // the URI of its view (MCP Apps)
	ForApp      bool      `json:"for_app,omitempty"`      // whether views may call it
	ForModel    bool      `json:"for_model,omitempty"`    // whether the model may call it
	TaskSupport string    `json:"task_support,omitempty"` // forbidden, optional, required

	// Of resources and templates.
	MimeType  string   `json:"mime_type,omitempty"`
	Size      string   `json:"size,omitempty"`
	Variables []string `json:"variables,omitempty"` // of a template

	// Of prompts.
	Arguments []PromptArgument `json:"arguments,omitempty"`
}

// A Badge is an annotation as a word.
type Badge struct {
	Name  string `json:"name"`  // readOnlyHint
	Value string `json:"value"` // its JSON
	Text  string `json:"text"`  // read-only
	Tone  string `json:"tone"`  // good, caution, plain
}

// A PromptArgument is an argument of a prompt.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required"`
}

// A Finding is what a rule found about a tool.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Message  string `json:"message"`
	Subject  string `json:"subject,omitempty"`
	Pointer  string `json:"pointer,omitempty"`
}

// A Fix is a suggested change.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// An Edit sets the value at a JSON Pointer; without a value it removes it.
type Edit struct {
	Pointer   string  `json:"pointer"`
	ValueJSON *string `json:"value_json,omitempty"`
}
