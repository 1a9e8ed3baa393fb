// Package metatools implements the tools that work on tools: an agent with hundreds of tools behind the gateway sees a
// dozen, and finds, inspects and runs the others through these.
package metatools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
)

// A Host is the gateway as the meta-tools see it, on behalf of one caller: it shows nothing that the caller may not
// use.
type Host struct {
	Caller  *access.Caller
	Catalog *catalog.Catalog
	// by server: what it lists for the caller, instead of its tools in the catalog; nil if there is no such server
	Own     func() map[string]*catalog.Listing
	Invoker *invoke.Invoker
	// the name under which clients see a tool
	Name func(t *catalog.Tool) string
	// a tool by the name that clients see, or by server/name
	Find func(name string) (*catalog.Tool, error)
	// the tool's own result
	Invoke    func(ctx context.Context, t *catalog.Tool, arguments json.RawMessage) (json.RawMessage, error)
	Servers   func() []Server
	Resources func() []Item
	Prompts   func() []Item
}

// A Server is the information about a server behind the gateway.
type Server struct {
	Name         string   `json:"name"`
	State        string   `json:"state"`
	Error        string   `json:"error,omitempty"`
	Revision     string   `json:"revision,omitempty"`
	Title        string   `json:"title,omitempty"`
	Instructions string   `json:"instructions,omitempty"`
	Tools        int      `json:"tools"`
	Calls        int64    `json:"calls"`
	Failed       int64    `json:"failed"`
	InFlight     int      `json:"in_flight"`
	ToolNames    []string `json:"tool_names,omitempty"`
}

// An Item is a resource or a prompt, by the name that clients see.
type Item struct {
	Server string          `json:"server"`
	Name   string          `json:"name"`
	Kind   string          `json:"kind"` // resource, template or prompt
	Item   json.RawMessage `json:"item"`
}

// InvokeTool is the name of the meta-tool that runs others.
const InvokeTool = "invoke_tool"

// A Tool is one of the meta-tools.
type Tool struct {
	Name   string
	manage bool // only for callers that may change the catalog
	reads  bool
	doc    string
	schema string
	listed string // a shorter schema for the list, if the arguments are validated by a long one
	// a large result is sent once, as text: some hosts show only the text of a result, others only its structured
	// content if there is one
	textOnly bool
	run      func(ctx context.Context, h *Host, in *input) (any, error)
}

// Allowed reports whether the caller may use the tool.
func (t *Tool) Allowed(c *access.Caller) bool { return !t.manage || c.Manage }

// Definition is the tool as listed. The description of the search includes the servers, so that an agent knows what it
// can search for.
func (t *Tool) Definition(servers []string) json.RawMessage {
	doc := t.doc
	if strings.Contains(doc, "%s") {
		names := "no server yet"
		if len(servers) > 0 {
			names = strings.Join(servers[:min(len(servers), 50)], ", ")
		}
		doc = fmt.Sprintf(doc, names)
	}
	definition, err := json.Marshal(map[string]any{"name": t.Name, "description": doc,
		"inputSchema": json.RawMessage(cmp.Or(t.listed, t.schema)), "annotations": t.annotations()})
	if err != nil {
		panic(err) // the schemas are valid
	}
	return definition
}

// annotations lists what differs from the default: a tool may write, destroy, and reach the world.
func (t *Tool) annotations() map[string]bool {
	if t.reads {
		return map[string]bool{"readOnlyHint": true}
	}
	return map[string]bool{"openWorldHint": !t.manage}
}

// TextOnly reports whether the result is sent without structured content.
func (t *Tool) TextOnly() bool { return t.textOnly }

// Call runs the tool. The result is a JSON value, or a tool's result verbatim if passed is true.
func (t *Tool) Call(ctx context.Context, h *Host, arguments json.RawMessage) (value json.RawMessage, passed bool,
	err error) {
	if err := h.Invoker.Check(ctx, &catalog.Tool{Name: t.Name, Parameters: json.RawMessage(t.schema)},
		arguments); err != nil {
		return nil, false, err
	}
	in := &input{}
	if arguments != nil {
		if err := json.Unmarshal(arguments, in); err != nil {
			return nil, false, err
		}
	}
	out, err := t.run(ctx, h, in)
	if err != nil {
		return nil, false, err
	}
	if raw, ok := out.(json.RawMessage); ok {
		return raw, true, nil
	}
	value, err = encode(out)
	return value, false, err
}

func encode(v any) (json.RawMessage, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n")), err
}

// An input is the arguments of the tools; each uses the part in its schema.
type input struct {
	Name       string          `json:"name"`
	Server     string          `json:"server"`
	Filter     string          `json:"filter"`
	Tags       []string        `json:"tags"`
	Annotation []string        `json:"annotations"`
	Query      string          `json:"query"`
	Queries    []string        `json:"queries"`
	Limit      int             `json:"limit"`
	Cursor     string          `json:"cursor"`
	Brief      *bool           `json:"brief"`
	Arguments  json.RawMessage `json:"arguments"`
	Tool       *catalog.Tool   `json:"tool"`
	Version    int             `json:"version"`
}

// Find returns the meta-tool with that name.
func Find(name string) (*Tool, bool) {
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i], true
		}
	}
	return nil, false
}

// All returns the meta-tools in the order in which they are listed.
func All() []*Tool {
	all := make([]*Tool, len(tools))
	for i := range tools {
		all[i] = &tools[i]
	}
	return all
}
