package inspector

import "github.com/mcptest-dev/mcptest/internal/target"

// A Server is something that can be connected to. Secrets in it are placeholders.
type Server struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Source   string   `json:"source"` // given (on the command line), page, config or builtin
	Host     string   `json:"host,omitempty"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Scope    string   `json:"scope,omitempty"`
	Kind     string   `json:"kind"`           // command, url or builtin
	Type     string   `json:"type,omitempty"` // stdio, http, sse; empty for a URL whose transport is found out
	Command  []string `json:"command,omitempty"`
	Cwd      string   `json:"cwd,omitempty"`
	Env      []string `json:"env,omitempty"` // names alone
	URL      string   `json:"url,omitempty"`
	Headers  []string `json:"headers,omitempty"` // names alone
	Disabled bool     `json:"disabled,omitempty"`

	Missing []string `json:"missing,omitempty"` // variables or headers whose values have to be given before it can be used
	Unkept  string   `json:"unkept,omitempty"`  // why one that the page added will be gone when mcptest ends

	Approval *Approval `json:"approval,omitempty"` // what would be started; absent where nothing is
	Problem  *Problem  `json:"problem,omitempty"`  // why it cannot be used
	Notes    []string  `json:"notes,omitempty"`
}

// An Approval is exactly what would be started or reached, for a person to look at and agree to.
type Approval struct {
	Hash     string                  `json:"hash"`
	What     string                  `json:"what"`    // such as: start the server "files"
	Lines    []target.PermissionLine `json:"lines"`   // what the user has to see, in the words of every surface
	Program  string                  `json:"program"` // the file that would run, links followed
	Argv     []string                `json:"argv"`
	Cwd      string                  `json:"cwd"`
	Env      []string                `json:"env"`               // names alone
	URL      string                  `json:"url,omitempty"`     // what would be reached instead
	Headers  []string                `json:"headers,omitempty"` // names alone
	Takes    []string                `json:"takes,omitempty"`   // variables of the person's environment, and where they go
	Warnings []string                `json:"warnings,omitempty"`
	Approved bool                    `json:"approved"`
}

// Servers are all that can be connected to.
type Servers struct {
	Servers  []Server `json:"servers"`
	Problems []string `json:"problems"` // what of the config files cannot be used
	Looked   []string `json:"looked"`   // the files that were looked for
}

// A NewServer is a server that the page adds: a command or a URL.
type NewServer struct {
	Name    string   `json:"name"`
	Command []string `json:"command,omitempty"`
	Env     []string `json:"env,omitempty"` // NAME=value
	Cwd     string   `json:"cwd,omitempty"`
	URL     string   `json:"url,omitempty"`
	Header  []string `json:"header,omitempty"` // Name: value
	Type    string   `json:"type,omitempty"`   // http or sse; empty finds out
}

// NewValues are values of variables or headers of a server that the page added; the others stay as they are.
type NewValues struct {
	Env    []string `json:"env,omitempty"`    // NAME=value
	Header []string `json:"header,omitempty"` // Name: value
}

// An Imported is what came of the text of a config file.
type Imported struct {
	Added    []Server `json:"added"`
	Problems []string `json:"problems"`
}
