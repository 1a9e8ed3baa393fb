package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Tool is the part of a tool definition that a model sees.
type Tool struct {
	Namespace   string          `json:"namespace,omitempty"` // that the host puts the tool in
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"parameters"`
	Lost        string          `json:"lost,omitempty"`         // why the host does not pass the tool to the model
	LosesServer bool            `json:"loses_server,omitempty"` // because of it the host has no tool of the server
	Unknown     string          `json:"unknown,omitempty"`      // why the host's view was not computed

	definition *definition
}

// A definition is a tool as the server sent it, parsed once for all hosts.
type definition struct {
	raw      json.RawMessage
	tree     func() *node // nil if it is malformed
	tooLarge func() string
}

// Read returns the parts of a definition that a host passes on to a model.
func Read(raw json.RawMessage) Tool {
	fields, _ := readObject(raw)
	text := func(name string) string {
		value, _ := fields.get(name)
		s, _ := schema.Text(value)
		return s
	}
	input, _ := fields.get("inputSchema")
	return Tool{Name: text("name"), Description: text("description"), Schema: input,
		definition: newDefinition(raw, input)}
}

func newDefinition(raw, input json.RawMessage) *definition {
	return &definition{
		raw:      raw,
		tree:     sync.OnceValue(func() *node { return parse(raw) }),
		tooLarge: sync.OnceValue(func() string { return tooLarge(input) }),
	}
}

// again returns the tool as if it had just been read: it is not parsed yet.
func (t Tool) again() Tool {
	if t.definition != nil {
		t.definition = newDefinition(t.definition.raw, t.Schema)
	}
	return t
}

// View returns what the host would pass to the model for a tool of a server. Providers that reject a request
// instead of changing it get the tool unchanged; the rules report what they reject.
func View(p Profile, server string, tool Tool) Tool {
	c := convert(p, server, tool, false)
	if c.changed {
		c.out.Schema = c.input.json()
	}
	return c.out
}

// Loses returns why the host does not pass a tool on, and whether it has no tool of the server because of it. The reason
// is empty if the host passes it on. It is what [View] says, without the work of rewriting the tool.
func Loses(p Profile, server string, tool Tool) (why string, losesServer bool) {
	c := convert(p, server, tool, true)
	return c.out.Lost, c.out.LosesServer
}

// convert does the work of a host on one tool. If only its loss is of interest, the host may stop once that is decided.
func convert(p Profile, server string, tool Tool, onlyLoss bool) conversion {
	if p.view == nil {
		return conversion{out: tool}
	}
	if tool.definition == nil {
		tool.definition = newDefinition(nil, tool.Schema)
	}
	if tool.Unknown = tool.definition.tooLarge(); tool.Unknown != "" {
		return conversion{out: tool}
	}
	c := conversion{server: server, definition: tool.definition.tree(), onlyLoss: onlyLoss, out: tool}
	p.view(&c)
	return c
}

// A conversion is the work of a host on one tool.
type conversion struct {
	server     string
	definition *node // as the server sent it; not to be changed
	onlyLoss   bool  // nothing is needed but whether the tool is lost
	input      *node // the result of schema, or what the host made of it
	copied     bool  // input is set
	changed    bool  // the host changed it
	out        Tool
}

// schema returns a copy of the schema, which the host may change; nil if it is malformed. There is one copy, made
// when it is first needed.
func (c *conversion) schema() *node {
	if !c.copied {
		c.input, c.copied = c.definition.get("inputSchema").clone(), true
	}
	return c.input
}

// setSchema replaces the schema.
func (c *conversion) setSchema(n *node) { c.input, c.copied, c.changed = n, true, true }

// drop records why the host does not pass the tool on.
func (c *conversion) drop(why string) { c.out.Lost = why }

// accepted reports whether the SDK of a host in JavaScript accepts the list with this tool. Such a host writes
// numbers in the way of JavaScript.
func (c *conversion) accepted(check clientCheck) bool {
	if why := check.refuses(c.definition); why != "" {
		c.out.Lost, c.out.LosesServer = why, true
		return false
	}
	if !c.onlyLoss {
		c.setSchema(c.schema().jsNumbers())
	}
	return true
}

// maxValues is the maximum number of list values in a schema, counted by commas. Real ones stay under 15,000.
const maxValues = 50_000

// tooLarge returns which limit a schema exceeds; empty if none. The transformations of hosts take time and
// memory that grow faster than the schema.
func tooLarge(raw json.RawMessage) string {
	if bytes.Count(raw, []byte(",")) > maxValues {
		return fmt.Sprintf("the schema has more than %d values", maxValues)
	}
	var refused *schema.CompileError
	if errors.As(schema.Bounded(raw, nil), &refused) && refused.Kind == schema.OverLimit {
		return refused.Message
	}
	return ""
}

func cursorView(c *conversion) {
	if n := utf8.RuneCountInString(c.out.Name); n > cursor().ToolName.Max {
		c.drop("server name and tool name together are limited to 60 characters, and the tool name alone is longer")
	}
}
