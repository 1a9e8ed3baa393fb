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
	before := g.view.Load()
	byCaller := g.lockedViews(before)
	hidden := (&view{byCaller: byCaller}).hidden()
	names, tools := g.names(), g.opts.Catalog.List(catalog.Filter{Own: hidden})
	for i := range tools {
		g.inherit(&tools[i], hidden)
	}
	fresh := newView(before, tools, names, func(name string) *mcp.Surface {
		if _, apart := byCaller[name]; apart {
			return nil
		}
		return g.surfaceOf(name)
	}, g.releasedPrompts, naming.Max-g.opts.Prefix)
	fresh.byCaller = byCaller
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

func (g *Gateway) surfaceOf(server string) *mcp.Surface {
	if s := g.server(server); s != nil {
		return s.Surface()
	}
	return nil
}

// lockedViews returns, for each server that lists for each caller separately, what was approved of it; nil without a
// lock.
func (g *Gateway) lockedViews(old *view) map[string]*view {
	g.mu.Lock()
	all := map[string]*view{}
	for name, apart := range g.apart {
		if apart {
			all[name] = nil
		}
	}
	g.mu.Unlock()
	if !g.guard.Active() {
		return all
	}
	for name := range all {
		before := old.byCaller[name]
		if before == nil {
			before = &view{}
		}
		listed := func(t *catalog.Tool) bool { return t.Source == catalog.FromUpstream }
		all[name] = newView(before, g.opts.Catalog.List(catalog.Filter{Server: name, Allow: listed}), []string{name},
			g.surfaceOf, g.releasedPrompts, naming.Max-g.opts.Prefix)
	}
	return all
}
