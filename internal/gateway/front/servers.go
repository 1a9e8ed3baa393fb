package front

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Add starts a server and keeps its tools in the catalog.
func (g *Gateway) Add(name string, target wire.Target, o upstream.Options) {
	o.OnSurface, o.OnState, o.OnUpdated, o.OnStray, o.OnAsk = g.listed, g.reached, g.updated, g.stray, g.hub.ask
	o.TaskInput = g.askAboutTask
	o.Log = g.opts.Log
	s := upstream.Start(name, target, &o)
	g.mu.Lock()
	g.servers[name] = s
	g.mu.Unlock()
	g.wg.Go(func() { g.awaitFirst(s) })
	g.touch()
}

// Replace ends a server and starts it as it is configured now. Its tools stay in the catalog, as those of a server that
// does not answer, until it lists them again.
func (g *Gateway) Replace(name string, target wire.Target, o upstream.Options) {
	g.end(name)
	g.opts.Catalog.SetStale(name, true)
	g.Add(name, target, o)
}

// Remove ends a server and takes its tools out of the catalog.
func (g *Gateway) Remove(ctx context.Context, name string) error {
	if !g.end(name) {
		return nil
	}
	_, err := g.opts.Catalog.ReplaceServer(ctx, name, nil)
	g.touch()
	return err
}

// end ends a server; it reports whether there was one.
func (g *Gateway) end(name string) bool {
	g.mu.Lock()
	s := g.servers[name]
	delete(g.servers, name)
	delete(g.settled, name)
	delete(g.listing, name)
	g.mu.Unlock()
	if s != nil {
		s.Close()
	}
	return s != nil
}

// Health tells how the servers are doing, in the order of their names.
func (g *Gateway) Health() []upstream.Health {
	var all []upstream.Health
	for _, name := range g.names() {
		if s := g.server(name); s != nil {
			all = append(all, s.Health())
		}
	}
	return all
}

func (g *Gateway) server(name string) *upstream.Server {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.servers[name]
}

// names lists the servers in order.
func (g *Gateway) names() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(maps.Keys(g.servers))
}

// awaitFirst notes when a server has answered or failed for the first time.
func (g *Gateway) awaitFirst(s *upstream.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), g.opts.Grace)
	defer cancel()
	if _, err := s.Await(ctx, mcp.Modern); err != nil {
		g.opts.Catalog.SetStale(s.Name, true)
		g.settle(s.Name, false)
	}
}

// settle notes that nobody needs to wait for the first list of a server, and whether there is one.
func (g *Gateway) settle(name string, listed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.settled[name] && g.listing[name] == listed {
		return
	}
	g.settled[name], g.listing[name] = true, g.listing[name] || listed
	close(g.change)
	g.change = make(chan struct{})
}

// awaitServers waits, shortly after the start, for the servers that have not answered yet: a client that lists its tools
// once should see them. Later it waits for nothing.
func (g *Gateway) awaitServers(ctx context.Context) {
	for left := g.opts.Grace - time.Since(g.started); left > 0; left = g.opts.Grace - time.Since(g.started) {
		g.mu.Lock()
		waiting, change := len(g.servers) > len(g.settled), g.change
		g.mu.Unlock()
		if !waiting {
			return
		}
		select {
		case <-change:
		case <-time.After(left):
		case <-ctx.Done():
			return
		}
	}
}

// listed takes over what a server lists.
func (g *Gateway) listed(s *upstream.Server) {
	surface := s.Surface()
	var tools []catalog.Tool
	if surface.Tools != nil {
		for _, item := range surface.Tools.Items {
			t, err := catalog.FromServer(s.Name, item.Raw)
			if item.Odd != "" || err != nil {
				reason := item.Odd
				if reason == "" {
					reason = err.Error()
				}
				g.opts.Log.Warn("a tool is left out", "server", s.Name, "tool", item.Name, "reason", reason)
				continue
			}
			tools = append(tools, t)
		}
	}
	skipped, err := g.opts.Catalog.ReplaceServer(context.Background(), s.Name, tools)
	if err != nil {
		g.opts.Log.Error("the catalog cannot be written", "server", s.Name, "error", err.Error())
	}
	for _, skip := range skipped {
		g.opts.Log.Warn("a tool is left out", "server", s.Name, "tool", skip.Key.Name, "reason", skip.Reason.Error())
	}
	g.Rebuild()
	g.settle(s.Name, true)
}

// reached marks the tools of a server that has gone, or that is back.
func (g *Gateway) reached(s *upstream.Server, up bool) {
	if !up {
		g.opts.Catalog.SetStale(s.Name, true)
	}
}

// updated tells those who have subscribed to a resource that it has changed.
func (g *Gateway) updated(s *upstream.Server, uri string) {
	g.hub.tell(resourceUpdated, exposeURI(s.Name, uri))
	g.subscribed(s.Name, uri)
}

// stray passes on what a server says that belongs to no request, if there is only one client that it can be for.
func (g *Gateway) stray(s *upstream.Server, _ mcp.Era, m mcp.Message) {
	if g.taskStray(s, m) {
		return
	}
	if m.Method != "notifications/message" {
		return
	}
	if p := g.hub.sole(); p != nil && g.caller(p).Sees(s.Name) && g.wants(p, m.Params) {
		p.Tell(m.Method, m.Params)
	}
}
