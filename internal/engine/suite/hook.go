package suite

import (
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// A Hook is a command that runs beside the tests. It is words, not a line for a shell.
type Hook struct {
	document.Position `yaml:"-"`

	Command    []string          `yaml:"command" required:"yes" doc:"the command, word by word" example:"[docker, compose, up, --wait]"`
	Cwd        string            `yaml:"cwd" doc:"the directory that it runs in; relative to this file" example:"server"`
	Env        map[string]string `yaml:"env" doc:"more variables of its environment" example:"{PORT: \"8080\"}"`
	Timeout    time.Duration     `yaml:"timeout" doc:"how long it may take, or how long to wait for wait_for" default:"1m" example:"30s"`
	Background bool              `yaml:"background" doc:"leave it running until the tests are over" default:"false" example:"true"`
	WaitFor    *WaitFor          `yaml:"wait_for" doc:"with background: what must hold before the tests begin" example:"{tcp: localhost:8080}"`
}

// ReadNode reads a hook: a list is its command.
func (h *Hook) ReadNode(n *document.Node, d *document.Decoder) {
	if n.Kind == document.List {
		d.Decode(n, &h.Command)
		return
	}
	if n.Kind == document.String {
		d.Wrong(n, "a line for a shell; want the words of the command as a list, such as [make, seed]")
		return
	}
	type plain Hook
	d.Decode(n, (*plain)(h))
	if h.WaitFor != nil && !h.Background {
		d.Wrong(n, "wait_for is for a command in the background; add background: true")
	}
}

// JSONSchema allows a list of words beside the fields.
func (h *Hook) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"anyOf":[{"type":"array","items":{"type":"string"},"minItems":1},{"$ref":"#/$defs/hook"}]}`)
}

const hookTimeout = timeout.Default
