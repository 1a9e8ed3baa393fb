package view

import "github.com/mcptest-dev/mcptest/internal/workbench"

// An Event reports a change. Of each object only the latest event is kept, so that a late or slow reader gets
// the current state, and the number of events is bounded.
type Event struct {
	ID int `json:"id"` // request those after it
	// link, link_gone, call, calls_gone, list_changed, frames, log, stderr, resource_updated, servers, auth, app
	Kind string `json:"kind"`
	Link string `json:"link,omitempty"`

	State  *Link   `json:"state,omitempty"`   // of link
	Call   *Call   `json:"call,omitempty"`    // of call, without content
	List   string  `json:"list,omitempty"`    // of list_changed: tools, resources, prompts
	URI    string  `json:"uri,omitempty"`     // of resource_updated
	SignIn *SignIn `json:"sign_in,omitempty"` // of auth
	App    *App    `json:"app,omitempty"`     // of app, without the definition of the tool
	Count  int     `json:"count,omitempty"`   // of frames, log, stderr: the current count
}

// A RunInput requests a run of an operation.
type RunInput struct {
	Link      string `json:"link,omitempty"`       // the connection to run it on, if it needs one
	InputJSON string `json:"input_json,omitempty"` // an object with the fields of the operation
}

// A RunEvent is an event of a running operation; the last is result or error.
type RunEvent struct {
	Kind       string    `json:"kind"` // step, progress, notice, result, error
	Step       *RunStep  `json:"step,omitempty"`
	Progress   *Progress `json:"progress,omitempty"`
	Notice     string    `json:"notice,omitempty"`
	ResultJSON string    `json:"result_json,omitempty"` // as the command line prints it with --json
	Failed     bool      `json:"failed,omitempty"`      // the findings count as a failure
	Remarks    []string  `json:"remarks,omitempty"`
	ElapsedNS  int64     `json:"elapsed_ns,omitempty"`
	Error      *Problem  `json:"error,omitempty"`
}

// A RunStep is the progress of a run.
type RunStep struct {
	Done     int    `json:"done"`
	Total    int    `json:"total,omitempty"`
	Findings int    `json:"findings"`
	Text     string `json:"text,omitempty"`
}

// Hello is the initial data for a page.
type Hello struct {
	Version      string                 `json:"version"`
	Revisions    []string               `json:"revisions"`
	LogLevels    []string               `json:"log_levels"`
	Directory    string                 `json:"directory"`
	Capabilities []workbench.Capability `json:"capabilities"` // permissions of the page, and who grants them
	Operations   []Operation            `json:"operations"`
	Hosts        []HostInfo             `json:"hosts"`  // hosts with a view of tools
	Inline       int                    `json:"inline"` // size in bytes from which text must be fetched
	Event        int                    `json:"event"`  // the latest
	Servers      Servers                `json:"servers"`
	Links        Links                  `json:"links"`
}

// A HostInfo names a host.
type HostInfo struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// An Operation can be run; see the run route.
type Operation struct {
	Name   string           `json:"name"` // "schema-lint", "tools call"
	Path   string           `json:"path"` // of the run route: "schema-lint", "tools/call"
	Title  string           `json:"title"`
	Doc    string           `json:"doc"`
	Linked bool             `json:"linked"` // it needs a connection
	Fields []OperationField `json:"fields"`
}

// An OperationField is one field of an operation's input.
type OperationField struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // text, flag, number, duration, list
	Doc      string `json:"doc"`
	Hint     string `json:"hint,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// A GatewayInput selects a gateway. The URL and the token are entered by the user.
type GatewayInput struct {
	URL   string `json:"url"`
	Token string `json:"token,omitempty"`
	Query string `json:"query,omitempty"` // search the catalog
}

// A GatewayApproval names quarantined definitions of a gateway that the user approves. Each is named by its hash, so that
// a definition that changed since the user saw it is not approved.
type GatewayApproval struct {
	URL   string        `json:"url"`
	Token string        `json:"token,omitempty"`
	Items []GatewayItem `json:"items"`
}

// A GatewayItem is one definition.
type GatewayItem struct {
	Server string `json:"server"`
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Hash   string `json:"hash"`
}

// A GatewayState is the status of a running gateway.
type GatewayState struct {
	URL        string `json:"url"`
	StatusJSON string `json:"status_json"`
}
