package view

import "github.com/mcptest-dev/mcptest/internal/target"

// A Server is a server that can be connected to. Secrets in it are placeholders.
type Server struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Source   string   `json:"source"` // given (on the command line), page, config or builtin
	Host     string   `json:"host,omitempty"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Scope    string   `json:"scope,omitempty"`
	Kind     string   `json:"kind"`           // command, url or builtin
	Type     string   `json:"type,omitempty"` // stdio, http, sse; empty for a URL whose transport is detected
	Command  []string `json:"command,omitempty"`
	Cwd      string   `json:"cwd,omitempty"`
	Env      []string `json:"env,omitempty"` // only names
	URL      string   `json:"url,omitempty"`
	Headers  []string `json:"headers,omitempty"` // only names
	Disabled bool     `json:"disabled,omitempty"`

	// variables or headers whose values must be entered before it can be used
	Missing []string `json:"missing,omitempty"`
	Unkept  string   `json:"unkept,omitempty"` // why a server added in the page will not be stored

	Approval *Approval `json:"approval,omitempty"` // what would be started; absent if nothing is
	Problem  *Problem  `json:"problem,omitempty"`  // why it cannot be used
	Notes    []string  `json:"notes,omitempty"`
}

// An Approval is exactly what would be started or reached, for the user to review and approve.
type Approval struct {
	Hash string `json:"hash"`
	What string `json:"what"` // such as: start the server "files"
	// what the user must review, with the same wording in every interface
	Lines   []target.PermissionLine `json:"lines"`
	Program string                  `json:"program"` // the executable, with links resolved
	Argv    []string                `json:"argv"`
	Cwd     string                  `json:"cwd"`
	Env     []string                `json:"env"`               // only names
	URL     string                  `json:"url,omitempty"`     // the URL, if it is not a command
	Headers []string                `json:"headers,omitempty"` // only names
	// environment variables of the user, and where they are sent
	Takes    []string `json:"takes,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Approved bool     `json:"approved"`
}

// Servers are all servers that can be connected to.
type Servers struct {
	Servers  []Server `json:"servers"`
	Problems []string `json:"problems"` // problems in the config files
	Looked   []string `json:"looked"`   // the config files that were searched
}

// A NewServer is a server to add in the page: a command or a URL.
type NewServer struct {
	Name    string   `json:"name"`
	Command []string `json:"command,omitempty"`
	Env     []string `json:"env,omitempty"` // NAME=value
	Cwd     string   `json:"cwd,omitempty"`
	URL     string   `json:"url,omitempty"`
	Header  []string `json:"header,omitempty"` // Name: value
	Type    string   `json:"type,omitempty"`   // http or sse; empty for automatic detection
}

// NewValues are values of variables or headers of a server that was added in the page; the others stay
// unchanged.
type NewValues struct {
	Env    []string `json:"env,omitempty"`    // NAME=value
	Header []string `json:"header,omitempty"` // Name: value
}

// An Imported is the result of importing a config file.
type Imported struct {
	Added    []Server `json:"added"`
	Problems []string `json:"problems"`
}
