package frontend

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// passedExtensions are the extensions of servers that clients can use through the gateway. Requests of other extensions
// could not be assigned to a server.
var passedExtensions = []string{mcp.AppsExtension, mcp.SkillsExtension}

// supports reports whether the client of a request declares an extension: a modern client in the request, a legacy
// client in initialize.
func supports(c *serve.Call, extension string) bool {
	capabilities := c.Peer.Capabilities
	if c.Era == spec.Modern {
		capabilities = c.Meta[serve.MetaCapabilities]
	}
	value, ok := serve.Members(serve.Members(capabilities)["extensions"])[extension]
	return ok && string(value) != "null"
}

// extensions returns the declaration of the gateway: what the client declares, and a server that it may use offers.
func (g *Gateway) extensions(c *serve.Call) map[string]json.RawMessage {
	declared := map[string]json.RawMessage{}
	if c.Era == spec.Modern {
		declared[mcp.TasksExtension] = raw(`{}`)
	}
	for _, extension := range passedExtensions {
		if !supports(c, extension) {
			continue
		}
		var all map[string]json.RawMessage
		for _, server := range g.offering(g.caller(c.Peer), extension) {
			all = merged(all, serve.Members(g.offer(server, extension)))
		}
		if all != nil {
			declared[extension] = serve.Object(all)
		}
	}
	return declared
}

// merged adds the settings of a server to those of others. A setting is on if it is for one of them: a request goes to
// the server that it is about.
func merged(all, more map[string]json.RawMessage) map[string]json.RawMessage {
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	for name, value := range more {
		if all[name] == nil || string(value) == "true" {
			all[name] = value
		}
	}
	return all
}

// offering lists the servers that offer an extension and that a caller may use, by name.
func (g *Gateway) offering(caller *access.Caller, extension string) []string {
	var names []string
	for _, name := range g.visible(caller) {
		if g.offer(name, extension) != nil {
			names = append(names, name)
		}
	}
	return names
}

// offer returns what a server declares for an extension; nil if nothing, or if it is not connected.
func (g *Gateway) offer(server, extension string) json.RawMessage {
	s := g.server(server)
	if s == nil {
		return nil
	}
	session := s.Session()
	if session == nil {
		return nil
	}
	value := serve.Members(serve.Members(session.Capabilities)["extensions"])[extension]
	if string(value) == "null" {
		return nil
	}
	return value
}
