package appview

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Scope is what a view may use of a connection: everything, or only what belongs to its server. A gateway lists the
// tools and resources of several servers under other names. A view uses the names of its own server, and must not reach
// other servers.
type Scope struct {
	server string // behind the gateway; empty without one
}

// ScopeOf returns the scope of the view of a tool, by the name and the URI that the connection lists.
func ScopeOf(tool, uri string) Scope {
	if server, _, ok := naming.ReadURI(uri); ok && server != "" && naming.Belongs(tool, server) {
		return Scope{server}
	}
	return Scope{}
}

// A Refusal is why a view may not call a tool, as the error that it receives.
type Refusal struct {
	Code    int
	Message string
}

// Codes of refusals: a name that does not exist is an invalid parameter, as for every server.
const (
	codeUnknown = -32602
	codeRefused = -32000
)

// Tool finds the tool that a view means by a name, and returns the name that the connection lists.
func (s Scope) Tool(tools []json.RawMessage, name string) (listed string, refused *Refusal) {
	found := -1
	for i, tool := range tools {
		listed := schema.TextAt(tool, "/name")
		if own := s.server != "" && naming.Is(listed, s.server, name); own {
			found = i
			break
		}
		if listed == name && s.contains(listed) {
			found = i // the view knows it from the host, unless its server has a tool with exactly this name
		}
	}
	switch {
	case found < 0:
		return "", &Refusal{codeUnknown, "unknown tool: the server does not list " + clip.Text(name, 100)}
	case !ReadTool(tools[found]).ForApp():
		return "", &Refusal{codeRefused, clip.Text(name, 100) + ` is not for apps: its visibility does not contain "app"`}
	}
	return schema.TextAt(tools[found], "/name"), nil
}

// contains reports whether a listed tool is certainly one of the server.
func (s Scope) contains(listed string) bool {
	if s.server == "" {
		return true
	}
	_, ok := naming.Own(listed, s.server)
	return ok
}

// Tools returns the tools that the view may call, with the names of its server.
func (s Scope) Tools(tools []json.RawMessage) []json.RawMessage {
	all := []json.RawMessage{}
	for _, tool := range tools {
		if !ReadTool(tool).ForApp() {
			continue
		}
		if s.server != "" {
			own, ok := naming.Own(schema.TextAt(tool, "/name"), s.server)
			if !ok {
				continue
			}
			text, _ := json.Marshal(own)
			changed, err := schema.Apply(tool, []finding.Edit{{Pointer: "/name", Value: text}})
			if err != nil {
				continue
			}
			tool = changed
		}
		all = append(all, tool)
	}
	return all
}

// URI returns the URI of the connection for one that a view reads; false if it belongs to another server.
func (s Scope) URI(uri string) (string, bool) {
	if s.server == "" {
		return uri, true
	}
	if server, _, ok := naming.ReadURI(uri); ok {
		return uri, server == s.server
	}
	return naming.URI(s.server, uri), true
}

// Resources leaves only the resources of the server in the result of a list.
func (s Scope) Resources(result json.RawMessage) json.RawMessage {
	if s.server == "" {
		return result
	}
	for list, uri := range map[string]string{"/resources": "/uri", "/resourceTemplates": "/uriTemplate"} {
		raw, ok := schema.Get(result, list)
		if !ok {
			continue
		}
		elements, _ := schema.Elements(raw)
		own := []json.RawMessage{}
		for _, e := range elements {
			if server, _, ok := naming.ReadURI(schema.TextAt(e, uri)); ok && server == s.server {
				own = append(own, e)
			}
		}
		text, _ := json.Marshal(own)
		changed, err := schema.Apply(result, []finding.Edit{{Pointer: list, Value: text}})
		if err != nil {
			return json.RawMessage(`{}`)
		}
		result = changed
	}
	return result
}
