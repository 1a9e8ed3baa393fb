package frontend

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Add starts a server and keeps its tools in the catalog up to date.
func (g *Gateway) Add(name string, target wire.Target, o upstream.Options) {
	o.OnSurface, o.OnState, o.OnUpdated, o.OnStray, o.OnAsk = g.listed, g.reached, g.updated, g.routeUnsolicited,
		g.hub.request
	o.TaskInput = g.taskInput
	o.OnLists, o.Recheck = g.seen, g.recheck
	o.Log, o.Stderr = g.opts.Log, &upstream.StderrLog{} // also of the processes of callers and sessions
	own := g.newProcesses(name, target, o)
	if own != nil {
		o.OnQuestion = own.questioned
	}
	if o.Account != nil {
		target.Credentials = o.Account(upstream.Owner{})
	}
	s := upstream.Start(name, target, &o)
	g.mu.Lock()
	if g.servers[name] = s; own != nil {
		g.own[name] = own
	}
	before := g.apart[name]
	if g.apart[name] = own != nil && own.lists; g.apart[name] != before {
		defer g.Rebuild() // nobody may see the lists of another account
	}
	g.mu.Unlock()
	g.wg.Go(func() { g.awaitFirst(s) })
	g.scheduleRebuild()
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
	g.guard.Remove(name)
	_, err := g.opts.Catalog.ReplaceServer(ctx, name, nil)
	g.mu.Lock()
	delete(g.apart, name)
	g.mu.Unlock()
	g.scheduleRebuild()
	return err
}

// end stops a server; it reports whether there was one.
func (g *Gateway) end(name string) bool {
	g.mu.Lock()
	s, own := g.servers[name], g.own[name]
	delete(g.servers, name)
	delete(g.own, name)
	delete(g.settled, name)
	delete(g.listing, name)
	g.mu.Unlock()
	if own != nil {
		own.pool.Close()
	}
	g.lists.drop(func(key listKey) bool { return key.server == name })
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
			h := s.Health()
			if own := g.processesOf(name); own != nil {
				own.pool.AddTo(&h)
			}
			all = append(all, h)
		}
	}
	return all
}

// Stderr returns the stderr output of a server; nil if there is no such server.
func (g *Gateway) Stderr(name string) *upstream.StderrLog {
	if s := g.server(name); s != nil {
		return s.Stderr()
	}
	return nil
}

// Retry connects to a server now, if it waits to do so because it was rejected.
func (g *Gateway) Retry(name string) {
	if s := g.server(name); s != nil {
		s.Retry()
	}
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

// flush records that the first list of a server is no longer pending, and whether there is one.
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
	g.publish(s)
	g.Rebuild()
	g.settle(s.Name, true)
}

// publish writes the tools of a server to the catalog: those that it lists, or, with a lock, what was approved of them.
func (g *Gateway) publish(s *upstream.Server) {
	lock, _ := g.publishing.LoadOrStore(s.Name, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	definitions, refused, locked := g.guard.Served(s.Name, quarantine.Tool)
	if !locked {
		definitions = g.wellFormed(s)
	}
	var tools []catalog.Tool
	for _, raw := range definitions {
		t, err := catalog.FromServer(s.Name, raw)
		if err != nil {
			g.opts.Log.Warn("tool skipped", "server", s.Name, "tool", t.Name, "reason", err.Error())
			continue
		}
		tools = append(tools, t)
	}
	g.opts.Catalog.SetQuarantined(s.Name, refused)
	skipped, err := g.opts.Catalog.ReplaceServer(context.Background(), s.Name, tools)
	if err != nil {
		g.opts.Log.Error("cannot write the catalog", "server", s.Name, "error", err.Error())
	}
	for _, skip := range skipped {
		g.opts.Log.Warn("tool skipped", "server", s.Name, "tool", skip.Key.Name, "reason", skip.Reason.Error())
	}
}

// wellFormed returns the tools that a server lists, without malformed ones.
func (g *Gateway) wellFormed(s *upstream.Server) []json.RawMessage {
	surface := s.Surface()
	if surface == nil || surface.Tools == nil {
		return nil
	}
	var all []json.RawMessage
	for _, item := range surface.Tools.Items {
		if item.Odd != "" {
			g.opts.Log.Warn("tool skipped", "server", s.Name, "tool", item.Name, "reason", item.Odd)
			continue
		}
		all = append(all, item.Raw)
	}
	return all
}

// reached marks the tools of a server as stale when it is down.
func (g *Gateway) reached(s *upstream.Server, up bool) {
	if !up {
		g.opts.Catalog.SetStale(s.Name, true)
	}
}

// updated notifies subscribers of a resource of its change.
func (g *Gateway) updated(s *upstream.Server, uri string) {
	g.hub.broadcast(resourceUpdated, updateKey(s, uri))
	g.subscribed(s, uri)
}

// routeUnsolicited forwards server messages that belong to no request, if there is only one client.
func (g *Gateway) routeUnsolicited(s *upstream.Server, _ spec.Era, m mcp.Message) {
	if g.taskStray(s, m) {
		return
	}
	if m.Method != "notifications/message" {
		return
	}
	if p := g.hub.onlyPeer(); p != nil && g.caller(p).Sees(s.Name) && g.forwarder.AcceptsLog(p, m.Params) {
		p.Notify(m.Method, m.Params)
	}
}
