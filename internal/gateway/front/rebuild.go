package front

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// touch has the view made anew, soon.
func (g *Gateway) touch() {
	select {
	case g.stale <- struct{}{}:
	default:
	}
}

// coalesce is how long further changes are waited for before clients are told.
const coalesce = 50 * time.Millisecond

// refresh makes the view anew after changes.
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

// Rebuild makes what clients see anew, and tells them what has changed. Changes come to be seen without it, but not at once.
func (g *Gateway) Rebuild() {
	g.making.Lock()
	defer g.making.Unlock()
	names := g.names()
	fresh := newView(g.view.Load(), g.opts.Catalog.List(catalog.Filter{}), names, func(name string) *mcp.Surface {
		if s := g.server(name); s != nil {
			return s.Surface()
		}
		return nil
	}, maxName-g.opts.Prefix)
	old := g.view.Swap(fresh)
	for _, method := range fresh.changes(old) {
		if method == toolsChanged && g.opts.Expose == Meta {
			continue // the meta-tools stay the same
		}
		g.hub.tell(method, "")
		for _, p := range g.hub.all() {
			p.Tell(method, nil)
		}
	}
}
