package frontend

import (
	"cmp"
	"context"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// exposed returns what a client sees: All, Meta or Both. Auto depends on the definitions that it may use.
func (g *Gateway) exposed(c *serve.Call, v *callerView) string {
	if g.opts.Expose != Auto {
		return g.opts.Expose
	}
	caller, size, budget := g.caller(c.Peer), 0, cmp.Or(g.opts.Budget, DefaultBudget)
	for _, t := range v.allTools() {
		if !caller.May(t.tool.Server, t.tool.Name) || !t.lists(c) {
			continue
		}
		if size += len(t.raw); size > budget {
			return Meta
		}
	}
	return All
}

// shadows reports whether a client sees a registered tool with the name of a meta-tool, and not the meta-tool.
func (g *Gateway) shadows(ctx context.Context, c *serve.Call, name string) bool {
	return g.opts.Expose == Auto && g.view.Load().byTool[name] != nil && g.exposed(c, g.viewOf(ctx, c)) == All
}
