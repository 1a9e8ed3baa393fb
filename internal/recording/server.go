package recording

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A Server is how the recorded server introduced itself.
type Server struct {
	Handshake    json.RawMessage // the result of initialize; nil if there is none
	Info         json.RawMessage
	Capabilities json.RawMessage
	Instructions json.RawMessage
	Refused      *mcp.RPCError // the error of initialize, if no handshake succeeded
}

// Server returns how the server introduced itself: in initialize, or in server/discover. Without either, its
// capabilities are those that the client used.
func (s *Session) Server() Server {
	var out Server
	for _, x := range s.Exchanges {
		members := serve.Members(x.Result)
		switch {
		case x.Method == "initialize" && x.Error != nil:
			out.Refused = x.Error
		case x.Method == "initialize" && members != nil:
			return Server{x.Result, members["serverInfo"], members["capabilities"], members["instructions"], nil}
		case x.Method == "server/discover" && members != nil && out.Info == nil:
			out.Info = serve.Members(members["_meta"])[serve.MetaServerInfo]
			out.Capabilities, out.Instructions = members["capabilities"], members["instructions"]
		}
	}
	if out.Capabilities == nil {
		out.Capabilities = s.used()
	}
	return out
}

// used returns the capabilities whose methods have a response.
func (s *Session) used() json.RawMessage {
	used := map[string]struct{}{}
	for _, x := range s.Exchanges {
		switch name := capabilityOf(x.Method); {
		case x.Result == nil || name == "":
		default:
			used[name] = struct{}{}
		}
	}
	return serve.Encode(used)
}

func capabilityOf(method string) string {
	switch method {
	case "tools/list", "tools/call":
		return "tools"
	case "resources/list", "resources/read", "resources/templates/list":
		return "resources"
	case "prompts/list", "prompts/get":
		return "prompts"
	case "completion/complete":
		return "completions"
	}
	return ""
}

// Tools returns the listed tools by name, the latest definition of each.
func (s *Session) Tools() map[string]json.RawMessage {
	return s.listed("tools/list", "/tools", "/name")
}

// Resources returns the listed resources by URI.
func (s *Session) Resources() map[string]json.RawMessage {
	return s.listed("resources/list", "/resources", "/uri")
}

// Prompts returns the listed prompts by name.
func (s *Session) Prompts() map[string]json.RawMessage {
	return s.listed("prompts/list", "/prompts", "/name")
}

func (s *Session) listed(method, list, name string) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, x := range s.Exchanges {
		if x.Method != method {
			continue
		}
		array, _ := schema.Get(x.Result, list)
		items, _ := schema.Elements(array)
		for _, item := range items {
			raw, _ := schema.Get(item, name)
			if key, ok := schema.Text(raw); ok {
				all[key] = item
			}
		}
	}
	return all
}

// FromTools returns a session in which the client has only listed tools.
func FromTools(tools []json.RawMessage) *Session {
	result := serve.Encode(map[string]any{"tools": tools})
	return &Session{Exchanges: []*Exchange{{Method: "tools/list", Era: spec.Legacy, Result: result}}}
}
