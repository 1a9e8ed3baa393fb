package suite

import (
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// A Fixture is what tests need besides the servers: a process, a temporary directory, or an HTTP server with canned
// responses. Its name is a variable: the port of the process, the path of the directory, the URL of the HTTP server.
type Fixture struct {
	document.Position `yaml:"-"`

	Scope     string            `yaml:"scope" enum:"run|file|test" doc:"how long it lasts: one for all files that import it, one for each file, or a new one for each test" default:"file" example:"test"`
	Command   []string          `yaml:"command" doc:"a process, as a list of words; ${NAME} is a free port" example:"[node, backend.js, --port, \"${backend}\"]"`
	Cwd       string            `yaml:"cwd" doc:"the working directory of the process; relative to this file" example:"backend"`
	Env       map[string]string `yaml:"env" doc:"additional environment variables of the process" example:"{PORT: \"${backend}\"}"`
	WaitFor   *WaitFor          `yaml:"wait_for" doc:"the condition to wait for before the tests start" example:"{tcp: \"localhost:${backend}\"}"`
	Timeout   time.Duration     `yaml:"timeout" doc:"time limit of wait_for" default:"1m" example:"30s"`
	Directory *Directory        `yaml:"directory" doc:"a temporary directory; ${NAME} is its path" example:"{files: {notes.txt: hello}}"`
	HTTP      []StubResponse    `yaml:"http" doc:"the responses of an HTTP server; ${NAME} is its URL" example:"[{path: /users/1, json: {name: Ada}}]"`
}

// A Directory is the initial content of a temporary directory. One word is a directory to copy.
type Directory struct {
	document.Position `yaml:"-"`

	Copy  string            `yaml:"copy" doc:"a directory whose files are copied; relative to this file" example:"testdata"`
	Files map[string]string `yaml:"files" doc:"text files by their paths" example:"{notes.txt: hello, sub/a.json: \"{}\"}"`
}

// A StubResponse is one canned response of an HTTP server.
type StubResponse struct {
	document.Position `yaml:"-"`

	Method  string            `yaml:"method" doc:"the method of the request; any by default" example:"POST"`
	Path    string            `yaml:"path" required:"yes" doc:"the path of the request; * stands for any text without a slash" example:"/users/*"`
	Query   map[string]string `yaml:"query" doc:"query parameters that the request must have" example:"{page: \"2\"}"`
	Status  int               `yaml:"status" doc:"the status of the response" default:"200" example:"404"`
	Headers map[string]string `yaml:"headers" doc:"headers of the response" example:"{Retry-After: \"1\"}"`
	Body    string            `yaml:"body" doc:"the body as text" example:"not found"`
	JSON    *document.Node    `yaml:"json" doc:"the body as JSON, sent as application/json" example:"{name: Ada}"`
	File    string            `yaml:"file" doc:"a file with the body; relative to this file" example:"user.json"`
	Delay   time.Duration     `yaml:"delay" doc:"how long the response is delayed" example:"200ms"`
}

// The scopes of fixtures.
const (
	scopeRun  = "run"
	scopeFile = "file"
	scopeTest = "test"
)

// lasts is the scope of the fixture.
func (f *Fixture) lasts() string {
	if f.Scope == "" {
		return scopeFile
	}
	return f.Scope
}

// ReadNode reads a fixture: exactly one of a process, a directory and an HTTP server.
func (f *Fixture) ReadNode(n *document.Node, d *document.Decoder) {
	type plain Fixture
	d.Decode(n, (*plain)(f))
	kinds := 0
	for _, given := range []bool{len(f.Command) > 0, f.Directory != nil, len(f.HTTP) > 0} {
		if given {
			kinds++
		}
	}
	if kinds != 1 {
		d.AddProblem(n, "a fixture requires exactly one of command, directory and http, got %d", kinds)
		return
	}
	for _, key := range []string{"cwd", "env", "wait_for", "timeout"} {
		if at := n.Get(key); at != nil && len(f.Command) == 0 {
			d.AddProblem(at, "%s belongs to a fixture with command", key)
		}
	}
}

// JSONSchema refers to the fields.
func (f *Fixture) JSONSchema() json.RawMessage { return json.RawMessage(`{"$ref":"#/$defs/fixture"}`) }

// ReadNode reads a directory: one word is a directory to copy.
func (dir *Directory) ReadNode(n *document.Node, d *document.Decoder) {
	if n.Kind == document.String {
		dir.Copy = n.Text
		return
	}
	type plain Directory
	d.Decode(n, (*plain)(dir))
	for name := range dir.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			d.AddProblem(n, "files: %q is not a path inside the directory", name)
		}
	}
}

// JSONSchema allows a single word in addition to the fields.
func (dir *Directory) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"anyOf":[{"type":"string"},{"$ref":"#/$defs/directory"}]}`)
}

// ReadNode reads a response, which has at most one body.
func (r *StubResponse) ReadNode(n *document.Node, d *document.Decoder) {
	type plain StubResponse
	d.Decode(n, (*plain)(r))
	bodies := 0
	for _, key := range []string{"body", "json", "file"} {
		if n.Get(key) != nil {
			bodies++
		}
	}
	if bodies > 1 {
		d.AddProblem(n, "a response has at most one of body, json and file, got %d", bodies)
	}
	if at := n.Get("status"); at != nil && (r.Status < 200 || r.Status > 599) {
		d.AddProblem(at, "status is %s, expected a number from 200 to 599", at.Text)
	}
	if at := n.Get("path"); at != nil && !validPattern(r.Path) {
		d.AddProblem(at, "path is %q, expected one that begins with /, such as /users/*", r.Path)
	}
}

// JSONSchema refers to the fields.
func (r *StubResponse) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"$ref":"#/$defs/stubresponse"}`)
}
