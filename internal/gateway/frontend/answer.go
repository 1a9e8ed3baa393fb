package frontend

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Answer implements serve.Backend.
func (g *Gateway) Answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	g.forwarder.UnmarkState(c)
	result, bad := g.respond(ctx, c)
	result = g.forwarder.MarkState(c, result)
	if bad == nil && c.Era == spec.Modern && result != nil && !serve.IsList(c.Method) {
		result = complete(result)
	}
	return result, bad
}

func (g *Gateway) respond(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	switch c.Method {
	case "prompts/get", "completion/complete":
		if err := g.awaitListOf(ctx, c, promptOf(c)); err != nil {
			return nil, forward.ClientError(err)
		}
	case "resources/read", "resources/subscribe", "skills/list", "skills/get", "resources/directory/read":
		g.awaitServers(ctx)
	case "initialize", "server/discover":
		if slices.ContainsFunc(passedExtensions, func(id string) bool { return supports(c, id) }) {
			g.awaitServers(ctx) // what the gateway declares depends on them
		}
	}
	switch {
	case serve.IsList(c.Method):
		return g.list(ctx, c)
	case forward.IsTaskMethod(c.Method):
		return g.respondTask(ctx, c)
	}
	switch c.Method {
	case "initialize":
		g.hub.join(c.Peer)
		return serve.Object(serve.With(g.description(ctx, c), "protocolVersion", rawjson.Quote(c.Peer.Revision))), nil
	case "server/discover":
		return g.discover(ctx, c), nil
	case "ping":
		return raw("{}"), nil
	case "tools/call":
		return g.callTool(ctx, c)
	case "prompts/get":
		return g.getPrompt(ctx, c)
	case "resources/read":
		return g.readResource(ctx, c)
	case "resources/subscribe":
		return g.subscribe(ctx, c)
	case "resources/unsubscribe":
		return g.unsubscribe(c)
	case "completion/complete":
		return g.complete(ctx, c)
	case "skills/list":
		return g.listSkills(ctx, c)
	case "skills/get", "resources/directory/read":
		return g.readSkill(ctx, c)
	case "logging/setLevel":
		return g.setLevel(c)
	case "subscriptions/listen":
		return g.listen(ctx, c)
	}
	return nil, serve.MethodNotFound(c.Method)
}

// description is the server information of the gateway.
func (g *Gateway) description(ctx context.Context, c *serve.Call) map[string]json.RawMessage {
	more := ""
	if c.Era == spec.Legacy {
		more = `,"tasks":{"cancel":{},"list":{},"requests":{"tools":{"call":{}}}}`
	}
	if declared := g.extensions(c); len(declared) > 0 {
		more += `,"extensions":` + string(serve.Object(declared))
	}
	return map[string]json.RawMessage{
		"serverInfo":   serve.Encode(g.opts.Info),
		"instructions": rawjson.Quote(g.instructions(ctx, c)),
		"capabilities": raw(`{"completions":{},"logging":{},"prompts":{"listChanged":true},` +
			`"resources":{"listChanged":true,"subscribe":true},"tools":{"listChanged":true}` + more + `}`),
	}
}

func (g *Gateway) discover(ctx context.Context, c *serve.Call) json.RawMessage {
	about := g.description(ctx, c)
	return serve.Object(map[string]json.RawMessage{
		"supportedVersions": serve.Encode(serve.Revisions()), "capabilities": about["capabilities"],
		"instructions": about["instructions"],
		"ttlMs":        raw("0"), "cacheScope": rawjson.Quote("private"),
		"_meta": serve.Object(map[string]json.RawMessage{serve.MetaServerInfo: about["serverInfo"]}),
	})
}

// complete marks a result as complete, unless it already has a result type.
func complete(result json.RawMessage) json.RawMessage {
	return serve.Extend(result, []string{"resultType"}, []json.RawMessage{rawjson.Quote("complete")})
}

// list responds from the view: no request is sent to a server, so none can delay it. The exception are servers that
// list for each caller separately, if the list of this caller is not known.
func (g *Gateway) list(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	g.awaitServers(ctx)
	v := g.viewOf(ctx, c)
	switch c.Method {
	case "prompts/list":
		return g.listFew(c, "prompts", v.allOf(promptsOf))
	case "resources/list":
		return g.listFew(c, "resources", v.allOf(resourcesOf))
	case "resources/templates/list":
		return g.listFew(c, "resourceTemplates", v.allOf(templatesOf))
	}
	return g.listTools(c, v)
}

// listTools lists the meta-tools, all on the first page, and the tools of the servers.
func (g *Gateway) listTools(c *serve.Call, v *callerView) (json.RawMessage, *serve.Error) {
	p, bad := newPage(c, "tools", g.opts.Page)
	if bad != nil {
		return nil, bad
	}
	caller := g.caller(c.Peer)
	expose := g.exposed(c, v)
	if expose != All && p.first() {
		for _, t := range g.metaTools(c) {
			p.put(t)
		}
	}
	for _, t := range v.allTools() {
		if expose != Meta && p.has(t.name) && caller.May(t.tool.Server, t.tool.Name) && t.lists(c) &&
			!p.add(t.name, t.raw) {
			break
		}
	}
	return p.result(), nil
}

func (g *Gateway) listFew(c *serve.Call, key string, items []exposedItem) (json.RawMessage, *serve.Error) {
	p, bad := newPage(c, key, g.opts.Page)
	if bad != nil {
		return nil, bad
	}
	caller := g.caller(c.Peer)
	for _, item := range items {
		if p.has(item.seen) && caller.Sees(item.server) && !p.add(item.seen, item.raw) {
			break
		}
	}
	return p.result(), nil
}
