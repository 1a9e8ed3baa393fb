package frontend

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// scheduleRebuild schedules a rebuild of the view.
func (g *Gateway) scheduleRebuild() {
	select {
	case g.stale <- struct{}{}:
	default:
	}
}

// coalesce is the time to wait for further changes before clients are notified.
const coalesce = 50 * time.Millisecond

// refresh rebuilds the view after changes.
func (g *Gateway) refresh(ctx context.Context) {
	for {
		select {
		case <-g.stale:
		case <-ctx.Done():
			return
		}
		g.Rebuild()
		select {
		case <-time.After(coalesce):
		case <-ctx.Done():
			return
		}
	}
}

// Rebuild rebuilds the view for clients, and notifies them of changes. Without it, changes become visible after a
// delay.
func (g *Gateway) Rebuild() {
	g.making.Lock()
	defer g.making.Unlock()
	names, tools := g.names(), g.opts.Catalog.List(catalog.Filter{})
	for i := range tools {
		g.inherit(&tools[i])
	}
	fresh := newView(g.view.Load(), tools, names, func(name string) *mcp.Surface {
		if s := g.server(name); s != nil {
			return s.Surface()
		}
		return nil
	}, g.releasedPrompts, naming.Max-g.opts.Prefix)
	old := g.view.Swap(fresh)
	for _, method := range fresh.changes(old) {
		if method == toolsChanged && g.opts.Expose == Meta {
			continue // the meta-tools do not change
		}
		g.hub.broadcast(method, "")
		for _, p := range g.hub.all() {
			p.Notify(method, nil)
		}
	}
}
