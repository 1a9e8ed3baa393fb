package front

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Answer implements serve.Backend.
func (g *Gateway) Answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	result, bad := g.answer(ctx, c)
	if bad == nil && c.Era == serve.Modern && result != nil {
		result = complete(result)
	}
	return result, bad
}

func (g *Gateway) answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	switch c.Method {
	case "prompts/get", "resources/read", "resources/subscribe", "completion/complete":
		g.awaitServers(ctx)
	}
	switch c.Method {
	case "initialize":
		g.hub.join(c.Peer)
		return object(with(g.description(c), "protocolVersion", quoted(c.Peer.Revision))), nil
	case "server/discover":
		return g.discover(c), nil
	case "ping":
		return raw("{}"), nil
	case "tools/list", "prompts/list", "resources/list", "resources/templates/list":
		return g.list(ctx, c)
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
	case "logging/setLevel":
		return g.setLevel(c)
	case "subscriptions/listen":
		return g.listen(ctx, c)
	}
	return nil, serve.MethodNotFound(c.Method)
}

// description is what the gateway says about itself.
func (g *Gateway) description(c *serve.Call) map[string]json.RawMessage {
	return map[string]json.RawMessage{
		"serverInfo":   serve.Encode(g.opts.Info),
		"instructions": quoted(g.instructions(c)),
		"capabilities": raw(`{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"tools":{"listChanged":true}}`),
	}
}

func (g *Gateway) discover(c *serve.Call) json.RawMessage {
	about := g.description(c)
	return object(map[string]json.RawMessage{
		"supportedVersions": serve.Encode(serve.Revisions()), "capabilities": about["capabilities"], "instructions": about["instructions"],
		"ttlMs": raw("0"), "cacheScope": quoted("private"),
		"_meta": object(map[string]json.RawMessage{serve.MetaServerInfo: about["serverInfo"]}),
	})
}

// complete marks a result as finished, unless it says itself what it is.
func complete(result json.RawMessage) json.RawMessage {
	return extended(result, []string{"resultType"}, []json.RawMessage{quoted("complete")})
}

// list answers from the view: no server is asked, so that none can make it wait.
func (g *Gateway) list(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	if _, ok := c.Fields["cursor"]; ok {
		return nil, serve.InvalidParams("unknown cursor: the list has one page")
	}
	g.awaitServers(ctx)
	caller, v := g.caller(c.Peer), g.view.Load()
	var b []byte
	add := func(item json.RawMessage) {
		if len(b) > 0 && b[len(b)-1] != '[' {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	few := func(key string, items []shown) {
		b = append(append(append(b, `{"`...), key...), `":[`...)
		for _, item := range items {
			if caller.Sees(item.server) {
				add(item.raw)
			}
		}
	}
	switch c.Method {
	case "tools/list":
		b = append(b, `{"tools":[`...)
		if g.opts.Expose != All {
			for _, t := range g.metaTools(c) {
				add(t)
			}
		}
		for _, t := range v.tools {
			if g.opts.Expose != Meta && caller.May(t.tool.Server, t.tool.Name) {
				add(t.raw)
			}
		}
	case "prompts/list":
		few("prompts", v.prompts)
	case "resources/list":
		few("resources", v.resources)
	case "resources/templates/list":
		few("resourceTemplates", v.templates)
	}
	b = append(b, ']')
	if c.Era == serve.Modern {
		b = append(b, `,"ttlMs":0,"cacheScope":"private"`...)
	}
	return append(b, '}'), nil
}

// find returns the tool that a client sees under a name.
func (g *Gateway) find(c *serve.Call, name string) (*catalog.Tool, *serve.Error) {
	caller := g.caller(c.Peer)
	var t *catalog.Tool
	var err error
	if seen := g.view.Load().byTool[name]; seen != nil {
		t, err = g.current(caller, seen.tool.Key(), name)
	} else if t, err = g.lookup(caller, name); err == nil && Expose(t.Server, t.Name, maxName-g.opts.Prefix) != name {
		t = nil // it is known by another name
	}
	if err != nil || t == nil {
		return nil, serve.InvalidParams("Unknown tool: %s", name)
	}
	return t, nil
}
