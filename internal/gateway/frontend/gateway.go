package frontend

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// The exposed tools.
const (
	All  = "all"  // the tools of all servers
	Meta = "meta" // only the meta-tools
	Both = "both"
	Auto = "auto" // the tools of all servers if their definitions are within the budget, else the meta-tools
)

// DefaultBudget is the number of characters of definitions up to which Auto exposes all tools: about 5,000 tokens. The
// meta-tools have less than 6,000 characters, with one search.
const DefaultBudget = 20_000

// Options configure a gateway.
type Options struct {
	Catalog *catalog.Catalog
	Invoker *invoke.Invoker
	Callers func(name string) *access.Caller // the callers of the current policy; nil means no access
	Expose  string                           // All, Meta, Both or Auto
	Budget  int                              // of Auto, in characters; 0 means DefaultBudget
	// length of the prefix that a host adds to each name, counted within the 64 characters
	Prefix int
	Page   int // maximum items on one page of a list; 0 means 1,000
	// how long after the start a list waits for servers that have not responded yet; 0 means 5 s
	Grace time.Duration
	Info  mcp.Implementation
	Lock  *quarantine.Policy // what was approved; nil means everything
	// ID of this process among several that serve the same clients; "" if it is the only one
	Replica string
	Log     *slog.Logger
}

// A Gateway exposes several servers as one. It is a serve.Backend.
type Gateway struct {
	forwarder *forward.Forwarder
	hub       hub
	opts      Options
	started   time.Time
	view      atomic.Pointer[view]
	stale     chan struct{} // has an element when the view must be rebuilt
	cancel    context.CancelFunc
	wg        sync.WaitGroup
	making    sync.Mutex // held while the view is rebuilt
	subs      legacySubscriptions
	tasks     taskStore
	lists     callerLists

	guard      *quarantine.Guard
	publishing sync.Map // by server: held while its tools are written to the catalog

	mu      sync.Mutex
	servers map[string]*upstream.Server
	own     map[string]*processes // of the same servers; only those that may have some
	apart   map[string]bool       // servers that list for each caller separately, also while they are replaced
	settled map[string]bool       // servers that have listed once, or failed to
	listing map[string]bool       // servers whose lists have been processed
	change  chan struct{}         // closed when settled or listing changes
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
		own: map[string]*processes{}, apart: map[string]bool{}, settled: map[string]bool{}, listing: map[string]bool{},
		change: make(chan struct{})}
	g.forwarder, g.tasks.replica = forward.New(o.Replica), o.Replica
	g.lists.catalog = o.Catalog
	g.guard = quarantine.New()
	g.guard.SetPolicy(o.Lock)
	if o.Lock != nil {
		g.guard.SetReviews(o.Catalog.Reviews(""))
		o.Catalog.SetFilter(g.guard.Visible)
	}
	g.view.Store(newView(&view{}, nil, nil, nil, nil, naming.Max))
	ctx, cancel := context.WithCancel(context.Background())
	g.cancel = cancel
	changes := o.Catalog.Watch(ctx)
	g.wg.Go(func() {
		for range changes {
			g.scheduleRebuild()
		}
	})
	g.Rebuild() // the first client sees the tools of the catalog
	g.wg.Go(func() { g.refresh(ctx) })
	g.wg.Go(func() { g.followReviews(ctx) })
	g.wg.Go(func() { g.recordQuarantine(ctx) })
	return g
}

// Close stops the gateway and its servers; the catalog belongs to its owner.
func (g *Gateway) Close() {
	g.mu.Lock()
	servers, own := g.servers, g.own
	g.servers, g.own = map[string]*upstream.Server{}, map[string]*processes{}
	g.mu.Unlock()
	g.cancel()
	g.forwarder.Close()
	var ending sync.WaitGroup
	for _, s := range servers {
		ending.Go(s.Close)
	}
	for _, p := range own {
		ending.Go(p.pool.Close)
	}
	ending.Wait()
	g.wg.Wait()
}

// Unfinished is the number of requests that wait for the client's next one.
func (g *Gateway) Unfinished() int { return g.forwarder.Unfinished() }

// caller is the caller of a peer; one that is no longer in the policy has no access.
func (g *Gateway) caller(p *serve.Peer) *access.Caller {
	return g.callerNamed(p.Caller)
}

// callerNamed is the caller with a name.
func (g *Gateway) callerNamed(name string) *access.Caller {
	if c := g.opts.Callers(name); c != nil {
		return c
	}
	return nobody
}

var nobody = access.Nobody()

// Disconnected implements serve.Backend.
func (g *Gateway) Disconnected(p *serve.Peer) {
	g.hub.remove(p)
	g.unsubscribeAll(p)
	g.tasks.detach(p)
	g.forwarder.Forget(p)
	for _, own := range g.allProcesses() {
		own.release(p)
	}
	g.lists.drop(func(key listKey) bool { return key.session == any(p) })
}

var _ serve.Backend = (*Gateway)(nil)

func raw(s string) json.RawMessage { return json.RawMessage(s) }
