package frontend

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Tools with the visibility ["app"] are for the views of their server and not for the model. A client that shows views
// needs them in its list, and hides them from its model. For other clients, everything that is listed is for the model,
// and so is everything that the meta-tools find.

// lists reports whether a tool is in the list of a client.
func (t *exposedTool) lists(c *serve.Call) bool {
	return t.tool.ForModel() || supports(c, mcp.AppsExtension)
}

// calledByView returns the tool that a view means by a name. Views call the tools of their server by its own names, and
// a call does not name the server: the name must belong to one server only.
func (g *Gateway) calledByView(ctx context.Context, c *serve.Call, name string) (*catalog.Tool, *serve.Error) {
	if !supports(c, mcp.AppsExtension) {
		return nil, nil
	}
	caller := g.caller(c.Peer)
	v := g.viewOf(ctx, c)
	var found []exposedTool
	for _, t := range v.allTools() {
		if t.tool.Name == name && t.tool.ForApp() && caller.May(t.tool.Server, t.tool.Name) {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		t, _ := g.current(caller, v, found[0].tool.Key(), name)
		return t, nil
	}
	names := make([]string, len(found))
	for i, t := range found {
		names[i] = t.name
	}
	return nil, serve.InvalidParams("several servers have the tool %s; use the name from tools/list: %s", name,
		strings.Join(names, ", "))
}
