package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// An Entry is one server as a file defines it, before its variables are expanded. Values that may be secret are omitted
// in every printed form.
type Entry struct {
	Name   string
	File   string
	Line   int
	Column int
	// claude-code, claude-desktop, cursor, vscode, windsurf, gemini, codex, mcp.json, or file for a file that was
	// passed explicitly
	Host  string
	Scope Scope
	Root  string // the value of ${workspaceFolder}

	Type    string // stdio, http, sse, or empty for a URL with an unknown transport
	Command string
	Args    []string
	Env     []Variable
	EnvFile string
	Cwd     string

	URL     string
	Headers []Variable

	Disabled bool          // the host skips it
	Startup  time.Duration // how long the host waits for the server; 0 if the entry does not say
	Literal  bool          // the host replaces no references in values
}

// A Variable is a name with a value: an environment variable, or a header.
type Variable struct {
	Name, Value string
	Source      Source
}

// A Source is where the value of a variable of a literal entry comes from.
type Source string

// The sources, other than the text itself: a variable that must be set, and one that may be missing.
const (
	Required Source = "required"
	Optional Source = "optional"
)

// reference matches a value that only refers to a variable and contains no secret itself.
var reference = lazyregexp.New(`^(?:(?:Bearer|Basic) )?\$\{(?:env:|input:)?[A-Za-z_][A-Za-z0-9_.-]*\}$`)

// String shows the name, and the value only if it is a reference to another variable.
func (v Variable) String() string { return v.Name + "=" + v.display() }

// GoString is String.
func (v Variable) GoString() string { return v.String() }

// MarshalJSON writes the same text as String.
func (v Variable) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"name": v.Name, "value": v.display()})
}

func (v Variable) display() string {
	if v.Value == "" || reference().MatchString(v.Value) {
		return v.Value
	}
	return redact.Placeholder
}

// String describes what the entry starts or connects to.
func (e Entry) String() string {
	what := redact.URL(e.URL)
	if e.Type == "stdio" {
		what = strings.Join(append([]string{e.Command}, cleanArgs(e.Args)...), " ")
	}
	return fmt.Sprintf("%s (%s, %s): %s", e.Name, e.Host, e.Scope, what)
}

// GoString is String.
func (e Entry) GoString() string { return e.String() }

// MarshalJSON writes the entry without secrets.
func (e Entry) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name     string     `json:"name"`
		File     string     `json:"file"`
		Line     int        `json:"line"`
		Host     string     `json:"host"`
		Scope    Scope      `json:"scope"`
		Type     string     `json:"type,omitempty"`
		Command  string     `json:"command,omitempty"`
		Args     []string   `json:"args,omitempty"`
		Env      []Variable `json:"env,omitempty"`
		EnvFile  string     `json:"env_file,omitempty"`
		Cwd      string     `json:"cwd,omitempty"`
		URL      string     `json:"url,omitempty"`
		Headers  []Variable `json:"headers,omitempty"`
		Disabled bool       `json:"disabled,omitempty"`
	}{e.Name, e.File, e.Line, e.Host, e.Scope, e.Type, e.Command, cleanArgs(e.Args), e.Env, e.EnvFile, e.Cwd,
		redact.URL(e.URL), e.Headers, e.Disabled})
}

// cleanArgs hides secrets in arguments, including one that follows its option.
func cleanArgs(args []string) []string {
	clean := make([]string, len(args))
	for i, arg := range args {
		clean[i] = redact.Text(arg)
		if i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=") &&
			!strings.HasPrefix(arg, "-") && redact.SecretName(args[i-1]) && !reference().MatchString(arg) {
			clean[i] = redact.Placeholder
		}
	}
	return clean
}

// sameAs reports whether two entries define the same server, regardless of their location.
func (e Entry) sameAs(other Entry) bool {
	return e.Type == other.Type && e.Command == other.Command && slices.Equal(e.Args, other.Args) &&
		e.Cwd == other.Cwd &&
		e.URL == other.URL && slices.Equal(e.Env, other.Env) && slices.Equal(e.Headers, other.Headers) &&
		e.EnvFile == other.EnvFile
}
