// Package view has what the page shows, as data: the types of its API, and how content, forms and errors become them.
package view

import "time"

// The statuses of a call.
const (
	Running    = "running"
	Waiting    = "waiting" // for an answer to a request from the server
	Done       = "done"
	CallFailed = "failed" // there was no response
	Cancelled  = "cancelled"
)

// A NewCall is a request to send: a tool call, any other method, or raw bytes.
type NewCall struct {
	Method        string `json:"method,omitempty"`         // tools/call if empty
	Name          string `json:"name,omitempty"`           // of the tool, prompt; or the uri of the resource
	ArgumentsJSON string `json:"arguments_json,omitempty"` // of a tool or a prompt, byte for byte
	ParamsJSON    string `json:"params_json,omitempty"`    // the whole params, in place of name and arguments
	Raw           string `json:"raw,omitempty"`            // a whole message, byte for byte, in place of all the others
	Anyway        bool   `json:"anyway,omitempty"`         // send what the schema forbids
	AsTask        bool   `json:"as_task,omitempty"`
	TimeoutMS     int    `json:"timeout_ms,omitempty"`
}

// A Call is a request and its outcome.
type Call struct {
	Link          string    `json:"link"`
	N             int       `json:"n"`
	Method        string    `json:"method"`
	Name          string    `json:"name,omitempty"`
	ArgumentsJSON string    `json:"arguments_json,omitempty"`
	ParamsJSON    string    `json:"params_json,omitempty"`
	Raw           bool      `json:"raw,omitempty"`
	Anyway        bool      `json:"anyway,omitempty"`
	AsTask        bool      `json:"as_task,omitempty"`
	ByApp         bool      `json:"by_app,omitempty"` // requested by a view
	Status        string    `json:"status"`
	Started       time.Time `json:"started"`
	ElapsedNS     int64     `json:"elapsed_ns"` // measured here, from the first request to the last response
	Progress      *Progress `json:"progress,omitempty"`
	OK            bool      `json:"ok"`                 // all verdicts are good
	Verdicts      *Verdicts `json:"verdicts,omitempty"` // once it has ended
	ResultBytes   int       `json:"result_bytes,omitempty"`
	// of the requests and responses; in a single call also those in between
	Frames []int `json:"frames"`
	// responses before the last: the server requested input, or made it a task
	Rounds int    `json:"rounds,omitempty"`
	Task   string `json:"task,omitempty"` // the id of the task that it became

	// Only in a single call, not in lists and events.
	Content  []Content       `json:"content,omitempty"`
	Messages []PromptMessage `json:"messages,omitempty"` // of a prompt
	// indented; absent when larger than the limit of inline text
	StructuredJSON  string `json:"structured_json,omitempty"`
	StructuredBytes int    `json:"structured_bytes,omitempty"`
	// indented; absent when larger than the limit of inline text
	ResultJSON string `json:"result_json,omitempty"`
}

// Calls are the calls of a link, latest first.
type Calls struct {
	Calls []Call `json:"calls"`
}

// A Progress is the progress of a call in flight.
type Progress struct {
	Done    float64 `json:"done"`
	Total   float64 `json:"total,omitempty"` // 0 if unknown
	Message string  `json:"message,omitempty"`
	Count   int     `json:"count"` // notifications so far
}

// Verdicts are the ways in which a call can fail, reported separately.
type Verdicts struct {
	Transport *Problem  `json:"transport,omitempty"` // there was no response
	Status    int       `json:"status,omitempty"`    // of HTTP
	RPC       *RPCError `json:"rpc,omitempty"`       // the server returned an error
	Tool      string    `json:"tool"`                // ok, error (isError), or none if it is not a tool result
	// valid, invalid, unchecked, or none if the tool declares no output schema
	Output     string      `json:"output"`
	Violations []Violation `json:"violations"` // of the output schema
	Unchecked  string      `json:"unchecked,omitempty"`
	Problems   []string    `json:"problems"` // what is malformed in the response
	Remarks    []Remark    `json:"remarks"`  // all of them, in the same order and wording as on every surface

	Failed bool `json:"-"` // the response counts as a failure
}

// A Remark is one statement about the response to a call.
type Remark struct {
	Kind    string `json:"kind"` // error, isError, malformed, output; unchecked and notice are not failures
	Message string `json:"message"`
}

// A Violation is one violation of a schema.
type Violation struct {
	Path     string `json:"path"`
	Label    string `json:"label"`
	Rule     string `json:"rule"`
	Expected string `json:"expected"`
	Received string `json:"received"`
	Message  string `json:"message"`
}

// A Content is one block of a result, prepared for display.
type Content struct {
	Index           int    `json:"index"`
	Kind            string `json:"kind"`             // text, image, audio, resource, link, other
	Text            string `json:"text,omitempty"`   // of text; absent when it is larger than the limit of inline text
	Format          string `json:"format,omitempty"` // of text: plain, json, markdown
	Size            int    `json:"size"`             // in bytes, decoded
	Mime            string `json:"mime,omitempty"`
	URI             string `json:"uri,omitempty"`
	Name            string `json:"name,omitempty"`
	Title           string `json:"title,omitempty"`
	Description     string `json:"description,omitempty"`
	Fetch           bool   `json:"fetch,omitempty"`    // the bytes are available at the content route
	Safe            bool   `json:"safe,omitempty"`     // an image or audio that may be shown as its declared type
	RawJSON         string `json:"raw_json,omitempty"` // the block unchanged, if it is small
	AnnotationsJSON string `json:"annotations_json,omitempty"`
	Problem         string `json:"problem,omitempty"` // why it cannot be shown: broken base64, unknown type
}

// A PromptMessage is a message of a prompt or of a sampling request.
type PromptMessage struct {
	Role    string    `json:"role"`
	Content []Content `json:"content"`
}

// A Copy is a call in another format.
type Copy struct {
	As   string `json:"as"`
	Text string `json:"text"`
	Note string `json:"note,omitempty"` // what has to be filled in
}

// A CompletionInput requests completion values for an argument.
type CompletionInput struct {
	Prompt   string            `json:"prompt,omitempty"`
	Template string            `json:"template,omitempty"`
	Argument string            `json:"argument"`
	Value    string            `json:"value"`
	Context  map[string]string `json:"context,omitempty"`
}

// A Completion is the values that a server offers.
type Completion struct {
	Values  []string  `json:"values"`
	Total   string    `json:"total,omitempty"`
	HasMore bool      `json:"has_more,omitempty"`
	Refused *RPCError `json:"refused,omitempty"`
	Frames  []int     `json:"frames"`
}

// An ExpandInput requests the expansion of a resource template.
type ExpandInput struct {
	Template string            `json:"template"`
	Values   map[string]string `json:"values"` // of the variables; omitted ones are undefined
}

// An Expanded is a resource template with its variables filled in.
type Expanded struct {
	URI     string   `json:"uri"`
	Missing []string `json:"missing"` // variables without a value
	Problem string   `json:"problem,omitempty"`
}

func (v *Verdicts) Good() bool { return v.Transport == nil && !v.Failed }
