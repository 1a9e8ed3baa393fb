package front

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// What clients see.
const (
	All  = "all"  // the tools of all servers
	Meta = "meta" // the meta-tools alone
	Both = "both"
)

// Options say how a gateway works.
type Options struct {
	Catalog *catalog.Catalog
	Invoker *invoke.Invoker
	Callers func(name string) *access.Caller // as the policy has them now; nil is nobody
	Expose  string                           // All, Meta or Both
	Prefix  int                              // characters that a host puts before each name, counted within the 64
	Page    int                              // items on one page of a list at most; 0 means 1,000
	Grace   time.Duration                    // how long after the start a list waits for servers that have not answered yet; 0 means 5 s
	Info    mcp.Implementation
	Log     *slog.Logger
}

// A Gateway shows many servers as one. It is a serve.Backend.
type Gateway struct {
	forwarder
	hub     hub
	opts    Options
	started time.Time
	view    atomic.Pointer[view]
	stale   chan struct{} // has one when the view is to be made anew
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	making  sync.Mutex // held while the view is made anew
	subs    legacySubscriptions
	tasks   taskBook

	mu      sync.Mutex
	servers map[string]*upstream.Server
	settled map[string]bool // servers that have listed once, or failed to
	change  chan struct{}   // closed when settled changes
}

// New returns a gateway without servers.
func New(o Options) *Gateway {
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	g := &Gateway{opts: o, started: time.Now(), stale: make(chan struct{}, 1), servers: map[string]*upstream.Server{},
		settled: map[string]bool{}, change: make(chan struct{})}
	g.view.Store(newView(&view{}, nil, nil, nil, maxName))
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel = cancel
	changes := o.Catalog.Watch(ctx)
	g.wg.Go(func() {
		for range changes {
			g.touch()
		}
	})
	g.Rebuild() // the first client sees what the catalog has
	g.wg.Go(func() { g.refresh(ctx) })
	return g
}

// Close ends the gateway and its servers; the catalog is its owner's.
func (g *Gateway) Close() {
	g.mu.Lock()
	servers := g.servers
	g.servers = map[string]*upstream.Server{}
	g.mu.Unlock()
	g.cancel()
	g.lot.clear()
	var ending sync.WaitGroup
	for _, s := range servers {
		ending.Go(s.Close)
	}
	ending.Wait()
	g.wg.Wait()
}

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

// Remove ends a server and takes its tools out of the catalog.
func (g *Gateway) Remove(ctx context.Context, name string) error {
	g.mu.Lock()
	s := g.servers[name]
	delete(g.servers, name)
	delete(g.settled, name)
	g.mu.Unlock()
	if s == nil {
		return nil
	}
	s.Close()
	_, err := g.opts.Catalog.ReplaceServer(ctx, name, nil)
	g.touch()
	return err
}

// awaitFirst notes when a server has answered or failed for the first time.
func (g *Gateway) awaitFirst(s *upstream.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), g.opts.Grace)
	defer cancel()
	if _, err := s.Await(ctx, mcp.Modern); err != nil {
		g.opts.Catalog.SetStale(s.Name, true)
		g.settle(s.Name)
	}
}

func (g *Gateway) settle(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.settled[name] {
		g.settled[name] = true
		close(g.change)
		g.change = make(chan struct{})
	}
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
				g.opts.Log.Warn("a tool is left out", "server", s.Name, "tool", item.Name, "reason", item.Odd)
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
	g.settle(s.Name)
}

// reached marks the tools of a server that has gone, or that is back.
func (g *Gateway) reached(s *upstream.Server, up bool) {
	if !up {
		g.opts.Catalog.SetStale(s.Name, true)
	}
}

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

func (g *Gateway) server(name string) *upstream.Server {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.servers[name]
}

// names lists the servers in order.
func (g *Gateway) names() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	names := make([]string, 0, len(g.servers))
	for name := range g.servers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
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

// updated tells those who have subscribed to a resource that it has changed.
func (g *Gateway) updated(s *upstream.Server, uri string) {
	g.hub.tell(resourceUpdated, ExposeURI(s.Name, uri))
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

// caller is who a peer is; one that the policy no longer knows may do nothing.
func (g *Gateway) caller(p *serve.Peer) *access.Caller {
	if c := g.opts.Callers(p.Caller); c != nil {
		return c
	}
	return nobody
}

var nobody = access.Nobody()

// Notified implements serve.Backend.
func (g *Gateway) Notified(*serve.Peer, *serve.Inbound) {}

// Gone implements serve.Backend.
func (g *Gateway) Gone(p *serve.Peer) {
	g.hub.leave(p)
	g.unsubscribeAll(p)
	g.tasks.leave(p)
	g.levels.Delete(p)
}

var _ serve.Backend = (*Gateway)(nil)

func raw(s string) json.RawMessage { return json.RawMessage(s) }
