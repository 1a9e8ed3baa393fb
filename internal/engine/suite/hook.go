package suite

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// A Hook is a command that runs next to the tests. It is a list of words, not a shell command line.
type Hook struct {
	document.Position `yaml:"-"`

	Command    []string          `yaml:"command" required:"yes" doc:"the command, as a list of words" example:"[docker, compose, up, --wait]"`
	Cwd        string            `yaml:"cwd" doc:"the working directory; relative to this file" example:"server"`
	Env        map[string]string `yaml:"env" doc:"additional environment variables" example:"{PORT: \"8080\"}"`
	Timeout    time.Duration     `yaml:"timeout" doc:"time limit of the command, or of wait_for" default:"1m" example:"30s"`
	Background bool              `yaml:"background" doc:"keep it running until the tests are done" default:"false" example:"true"`
	WaitFor    *WaitFor          `yaml:"wait_for" doc:"with background: the condition to wait for before the tests start" example:"{tcp: localhost:8080}"`
}

// ReadNode reads a hook: a list is its command.
func (h *Hook) ReadNode(n *document.Node, d *document.Decoder) {
	if n.Kind == document.List {
		d.Decode(n, &h.Command)
		return
	}
	if n.Kind == document.String {
		d.AddProblem(n, "shell command line, expected the words of the command as a list, such as [make, seed]")
		return
	}
	type plain Hook
	d.Decode(n, (*plain)(h))
	if h.WaitFor != nil && !h.Background {
		d.AddProblem(n, "wait_for requires background: true")
	}
}

// JSONSchema allows a list of words in addition to the fields.
func (h *Hook) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"anyOf":[{"type":"array","items":{"type":"string"},"minItems":1},{"$ref":"#/$defs/hook"}]}`)
}

// texts are the parts of a hook that may refer to variables.
func (h *Hook) texts() []string {
	return slices.AppendSeq(slices.Concat(h.Command, []string{h.Cwd}), maps.Values(h.Env))
}

const hookTimeout = timeout.Default
