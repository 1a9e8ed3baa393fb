package frontend

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// processes are the processes of a server that belong to single callers or sessions. The shared process lists the
// tools; it also has the requests of all clients that have no process of their own.
type processes struct {
	authorize func(ctx context.Context, caller string) (account string, err error) // nil authorizes everything
	isolation upstream.Isolation
	lists     bool // each caller sees only what its own processes list
	pool      *upstream.Pool
	asked     atomic.Bool                // the server has sent a request to a client: auto now means one per session
	alone     atomic.Bool                // auto means shared: the server allows one process at a time
	keeper    atomic.Pointer[serve.Peer] // the session that was asked first keeps the shared process
}

// newProcesses returns the processes of a server with these options; nil if all clients share one.
func (g *Gateway) newProcesses(name string, target wire.Target, o upstream.Options) *processes {
	if o.Isolation == "" || o.Isolation == upstream.Shared {
		return nil
	}
	own := &processes{isolation: o.Isolation, authorize: o.Authorize, lists: o.OwnLists && o.Authorize != nil}
	own.pool = upstream.NewPool(name, o.Processes, o.Idle, func(id string, owner upstream.Owner) *upstream.Server {
		peers := func() []*serve.Peer { return g.peersOf(own.isolation, owner) }
		m := o
		m.ID, m.Quiet = id, !g.guard.Active() && !own.lists
		if shared := g.server(name); shared != nil && shared.Session() != nil && m.Protocol == "" {
			m.Protocol = upstream.RevisionFor(shared.Session(), eraOf(owner)) // no need to negotiate again
		}
		m.OnLists, m.OnSurface, m.OnState = nil, nil, nil
		if own.lists {
			m.OnLists = func(_ *upstream.Server, session *mcp.Session, surface *mcp.Surface) {
				g.ownListed(name, owner, session, surface)
			}
		}
		m.OnAsk = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			return requestFrom(ctx, peers(), method, params)
		}
		m.OnStray = func(s *upstream.Server, _ spec.Era, about mcp.Message) { g.routeOwn(s, peers(), about) }
		m.LogLevel = func() string { return g.levelOf(owner) }
		to := target
		if o.Account != nil {
			to.Credentials = o.Account(owner)
		}
		return upstream.Start(name, to, &m)
	})
	return own
}

// eraOf is the era of the session that a process belongs to; modern if it does not belong to one session.
func eraOf(o upstream.Owner) spec.Era {
	if p, ok := o.Session.(*serve.Peer); ok && p.Revision != "" {
		return spec.EraOf(p.Revision)
	}
	return spec.Modern
}

// questioned records that the server sent a request to a client.
func (own *processes) questioned(_ *upstream.Server, owner any) {
	if peer, ok := owner.(*serve.Peer); ok && own.asked.CompareAndSwap(false, true) && peer.Lasts() {
		own.keeper.Store(peer)
	}
}

// release stops the processes of a session that has ended.
func (own *processes) release(p *serve.Peer) {
	own.keeper.CompareAndSwap(p, nil)
	own.pool.Leave(p)
}

// owner returns who needs a process for a request; false if it can use the shared one. A modern HTTP request has no
// session: it gets a process of its caller that has no other request. With auto it gets the one of its caller, so that
// what a server remembers between the requests of a client is not lost.
func (own *processes) owner(p *serve.Peer) (o upstream.Owner, exclusive, ok bool) {
	switch own.isolation {
	case upstream.PerCaller:
		return upstream.Owner{Caller: p.Caller}, false, true
	case upstream.Auto:
		if !own.asked.Load() || own.alone.Load() || own.keeper.Load() == p {
			return upstream.Owner{}, false, false
		}
		if !p.Lasts() {
			return upstream.Owner{Caller: p.Caller}, false, true
		}
	}
	if p.Lasts() {
		return upstream.Owner{Caller: p.Caller, Session: p}, false, true
	}
	return upstream.Owner{Caller: p.Caller}, true, true
}

// lease returns the process of a server for a request, until its Release. A request that continues a parked one needs
// none: the parked one still has its process.
func (g *Gateway) lease(ctx context.Context, c *serve.Call, shared *upstream.Server) (upstream.Lease, error) {
	if _, parked := forward.PendingState(c); parked {
		return upstream.Lease{Server: shared}, nil
	}
	return g.leaseFor(ctx, c, shared, true)
}

func (g *Gateway) leaseFor(ctx context.Context, c *serve.Call, shared *upstream.Server,
	request bool) (upstream.Lease, error) {
	none := upstream.Lease{Server: shared}
	own := g.processesOf(shared.Name)
	if own == nil {
		return none, nil
	}
	owner, exclusive, ok := own.owner(c.Peer)
	if !ok {
		return none, nil
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.Invoker.Limit()) // not every request has a timeout
	defer cancel()
	if own.authorize != nil {
		var err error
		if owner.Account, err = own.authorize(ctx, c.Peer.Caller); err != nil {
			return none, err
		}
	}
	l, err := own.pool.Acquire(ctx, owner, exclusive && request)
	if err != nil || own.isolation != upstream.Auto {
		return l, err
	}
	_, err = l.Server.Await(ctx, c.Era)
	if exit := (*wire.ExitError)(nil); errors.As(err, &exit) && shared.Session() != nil {
		g.opts.Log.Info("upstream allows one process at a time; its clients share it", "server", shared.Name)
		own.alone.Store(true)
		l.Release()
		return none, nil
	}
	return l, nil
}

// subscribeAt subscribes to a resource in the process of a client, until the returned function is called.
func (g *Gateway) subscribeAt(ctx context.Context, c *serve.Call, shared *upstream.Server,
	uri string) (s *upstream.Server, cancel func(), err error) {
	lease, err := g.leaseFor(ctx, c, shared, false)
	if err != nil {
		return shared, nil, err
	}
	defer lease.Release()
	hold := lease.Hold()
	stop, err := lease.Server.Subscribe(ctx, uri)
	if err != nil {
		hold()
		return lease.Server, nil, err
	}
	return lease.Server, func() { stop(); hold() }, nil
}

// updateKey identifies a resource for subscription streams. That of a process of one client is not that of another.
func updateKey(s *upstream.Server, uri string) string {
	key := naming.URI(s.Name, uri)
	if s.ID != s.Name {
		key += " " + s.ID // no URI has a space
	}
	return key
}

func (g *Gateway) processesOf(server string) *processes {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.own[server]
}

func (g *Gateway) allProcesses() []*processes {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []*processes
	for _, own := range g.own {
		all = append(all, own)
	}
	return all
}

// processesFor lists the shared processes and those of a session.
func (g *Gateway) processesFor(p *serve.Peer) []*upstream.Server {
	var all []*upstream.Server
	for _, name := range g.names() {
		if s := g.server(name); s != nil {
			all = append(all, s)
		}
		if own := g.processesOf(name); own != nil {
			all = append(all, own.pool.Of(p)...)
		}
	}
	return all
}

// peersOf lists the sessions that a process belongs to.
func (g *Gateway) peersOf(isolation upstream.Isolation, o upstream.Owner) []*serve.Peer {
	if p, ok := o.Session.(*serve.Peer); ok {
		return []*serve.Peer{p}
	}
	if isolation != upstream.PerCaller {
		return nil // it has requests without a session
	}
	var all []*serve.Peer
	for _, p := range g.hub.all() {
		if p.Caller == o.Caller {
			all = append(all, p)
		}
	}
	return all
}

// requestFrom forwards a server request that belongs to no client request, if it can only be for one session.
func requestFrom(ctx context.Context, peers []*serve.Peer, method string,
	params json.RawMessage) (json.RawMessage, error) {
	if len(peers) != 1 || !forward.Supports(peers[0].Capabilities, method) {
		return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "no client available to answer " + method}
	}
	return forward.AsRPC(peers[0].Ask(ctx, method, params))
}

// routeOwn forwards messages of a process that belong to no request to its sessions.
func (g *Gateway) routeOwn(s *upstream.Server, peers []*serve.Peer, m mcp.Message) {
	if g.taskStray(s, m) || m.Method != "notifications/message" {
		return
	}
	for _, p := range peers {
		if g.caller(p).Sees(s.Name) && g.forwarder.AcceptsLog(p, m.Params) {
			p.Notify(m.Method, m.Params)
		}
	}
}

// levelOf is the log level that a session has set; "" if it has not.
func (g *Gateway) levelOf(o upstream.Owner) string {
	return g.forwarder.Level(o.Session)
}

// Notified implements serve.Backend. The processes of a session get the notification that its roots have changed.
func (g *Gateway) Notified(p *serve.Peer, in *serve.Inbound) {
	if in.Method != "notifications/roots/list_changed" {
		return
	}
	for _, own := range g.allProcesses() {
		for _, s := range own.pool.Of(p) {
			if session := s.Session(); session != nil && session.Era == spec.Legacy {
				_ = session.Notify(context.Background(), in.Method, in.Params)
			}
		}
	}
}

// sameAsShared reports whether a process lists a definition as the shared process does, which the guard has seen.
func (g *Gateway) sameAsShared(s *upstream.Server, kind, name string) bool {
	if s.ID == s.Name {
		return true
	}
	shared := g.server(s.Name)
	if shared == nil || shared.Surface() == nil || s.Surface() == nil {
		return false
	}
	find := func(surface *mcp.Surface) string {
		list := surface.Tools
		if kind == quarantine.Prompt {
			list = surface.Prompts
		}
		if list == nil {
			return ""
		}
		item, _ := list.Find(name)
		return string(item.Raw)
	}
	return find(s.Surface()) == find(shared.Surface())
}
