package front

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Add starts a server and keeps its tools in the catalog up to date.
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

// Replace stops a server and starts it with its new configuration. Its tools stay in the catalog, marked as stale,
// until it lists them again.
func (g *Gateway) Replace(name string, target wire.Target, o upstream.Options) {
	g.end(name)
	g.opts.Catalog.SetStale(name, true)
	g.Add(name, target, o)
}

// Remove stops a server and removes its tools from the catalog.
func (g *Gateway) Remove(ctx context.Context, name string) error {
	if !g.end(name) {
		return nil
	}
	_, err := g.opts.Catalog.ReplaceServer(ctx, name, nil)
	g.touch()
	return err
}

// end stops a server; it reports whether there was one.
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

// Health returns the health of the servers, sorted by name.
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

// awaitFirst records when a server has responded or failed for the first time.
func (g *Gateway) awaitFirst(s *upstream.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), g.opts.Grace)
	defer cancel()
	if _, err := s.Await(ctx, spec.Modern); err != nil {
		g.opts.Catalog.SetStale(s.Name, true)
		g.settle(s.Name, false)
	}
}

// settle records that the first list of a server is no longer pending, and whether there is one.
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

// awaitServers waits, shortly after the start, for the servers that have not responded yet: a client that lists its
// tools once should see them. Later it does not wait.
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

// listed processes the lists of a server.
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
				g.opts.Log.Warn("tool skipped", "server", s.Name, "tool", item.Name, "reason", reason)
				continue
			}
			tools = append(tools, t)
		}
	}
	skipped, err := g.opts.Catalog.ReplaceServer(context.Background(), s.Name, tools)
	if err != nil {
		g.opts.Log.Error("cannot write the catalog", "server", s.Name, "error", err.Error())
	}
	for _, skip := range skipped {
		g.opts.Log.Warn("tool skipped", "server", s.Name, "tool", skip.Key.Name, "reason", skip.Reason.Error())
	}
	g.Rebuild()
	g.settle(s.Name, true)
}

// reached marks the tools of a server as stale when it is down.
func (g *Gateway) reached(s *upstream.Server, up bool) {
	if !up {
		g.opts.Catalog.SetStale(s.Name, true)
	}
}

// updated notifies subscribers of a resource of its change.
func (g *Gateway) updated(s *upstream.Server, uri string) {
	g.hub.tell(resourceUpdated, exposeURI(s.Name, uri))
	g.subscribed(s.Name, uri)
}

// stray forwards server messages that belong to no request, if there is only one client.
func (g *Gateway) stray(s *upstream.Server, _ spec.Era, m mcp.Message) {
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
