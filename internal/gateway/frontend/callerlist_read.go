package frontend

import (
	"context"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// listKeyOf is whose list a client gets. The peer is nil if there is none.
func (own *processes) listKeyOf(server, caller string, p *serve.Peer) listKey {
	if own.isolation == upstream.PerSession && p != nil && p.Lasts() {
		return listKey{server, caller, p}
	}
	return listKey{server, caller, nil}
}

// authorizeWithin is authorize until the context ends: it may wait for an authorization server, which does not end with
// the context.
func (own *processes) authorizeWithin(ctx context.Context, caller string) (account string, err error) {
	type result struct {
		account string
		err     error
	}
	done := make(chan result, 1)
	go func() {
		account, err := own.authorize(ctx, caller)
		done <- result{account, err}
	}()
	select {
	case r := <-done:
		return r.account, r.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// listOf returns what a server lists for a caller. If that is not known, or was read long ago, it is read in the
// background and awaited until the context ends. A call also reads it if that has just failed.
func (g *Gateway) listOf(ctx context.Context, server, caller string, p *serve.Peer,
	patient bool) (*callerList, error) {
	own := g.processesOf(server)
	if own == nil || !own.lists {
		return nil, &upstream.DownError{Server: server, Err: errors.New("server removed from the gateway")}
	}
	key := own.listKeyOf(server, caller, p)
	account, err := own.authorizeWithin(ctx, caller)
	if ctx.Err() != nil && err != nil {
		return nil, err
	}
	g.lists.mu.Lock()
	r := g.lists.recordLocked(key, account)
	if err != nil {
		g.lists.setLocked(r, nil)
		r.err = err
		g.lists.mu.Unlock()
		return g.lists.show(server, r)
	}
	if r.reading == nil && !r.fresh() && (patient || time.Since(r.failed) > retryListAfter) {
		g.startReadingLocked(context.WithoutCancel(ctx), own, key, r)
	}
	reading, begun := r.reading, r.begun
	g.lists.mu.Unlock()
	if reading != nil {
		if !patient { // what hangs delays the first list only
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, begun.Add(g.opts.Grace))
			defer cancel()
		}
		select {
		case <-reading:
		case <-ctx.Done():
		}
	}
	return g.lists.show(server, r)
}

// startReadingLocked reads the lists of a record in the background. The lists of callers are locked.
func (g *Gateway) startReadingLocked(ctx context.Context, own *processes, key listKey, r *listRecord) {
	done, account := make(chan struct{}), r.account
	r.reading, r.begun = done, time.Now()
	g.wg.Go(func() {
		err := g.readList(ctx, own, key, account)
		g.lists.mu.Lock()
		defer g.lists.mu.Unlock()
		close(done)
		if r.reading != done {
			return // of another account since
		}
		if r.reading = nil; err != nil {
			r.err, r.failed = err, time.Now()
		}
	})
}

// readList reads the lists of a server in a session of the caller, which reports them to ownListed.
func (g *Gateway) readList(ctx context.Context, own *processes, key listKey, account string) error {
	ctx, cancel := context.WithTimeout(ctx, g.opts.Invoker.Limit())
	defer cancel()
	lease, err := own.pool.Acquire(ctx, upstream.Owner{Caller: key.caller, Session: key.session, Account: account}, false)
	if err == nil {
		defer lease.Release()
		_, err = lease.Server.Await(ctx, eraOf(upstream.Owner{Session: key.session}))
	}
	if err == nil {
		if lease.Server.Surface() != nil {
			lease.Server.Relist()
		}
		err = lease.Server.AwaitLists(ctx)
	}
	if err != nil {
		g.opts.Log.Warn("cannot read the lists of a caller", "server", key.server, "caller", key.caller, "error", err.Error())
	}
	return err
}

// ownListed stores the lists that a server has sent to a process of a caller, and notifies the caller of changes.
func (g *Gateway) ownListed(name string, owner upstream.Owner, session *mcp.Session, surface *mcp.Surface) {
	tools, size := g.ownTools(name, surface), 0
	list := &callerList{instructions: session.Instructions, title: titleOf(session)}
	list.view = newView(&view{}, tools, []string{name}, func(string) *mcp.Surface { return surface },
		func(_ string, listed *mcp.List) *mcp.List { return listed }, naming.Max-g.opts.Prefix)
	var names []string
	for _, t := range list.view.tools {
		names, size = append(names, t.tool.Name), size+2*len(t.raw)
	}
	for _, items := range [][]exposedItem{list.view.prompts, list.view.resources, list.view.templates} {
		for _, item := range items {
			size += len(item.raw)
		}
	}
	if list.size = size; g.guard.Active() { // clients see what was approved
		list.listing = catalog.SharedListing(names)
	} else {
		list.listing = g.opts.Catalog.AddListing(name, tools)
	}
	key := listKey{name, owner.Caller, owner.Session}
	for _, method := range g.lists.store(key, owner.Account, list) {
		g.notifyCaller(key, method)
	}
}

// ownTools are the well-formed tools of a caller's list.
func (g *Gateway) ownTools(server string, surface *mcp.Surface) []catalog.Tool {
	var tools []catalog.Tool
	had := map[string]bool{}
	for _, raw := range definitionsOf(surface.Tools) {
		t, err := catalog.FromServer(server, raw)
		if err != nil || had[t.Name] {
			g.opts.Log.Warn("tool of a caller skipped", "server", server, "tool", t.Name)
			continue
		}
		had[t.Name] = true
		t.Version = 1
		tools = append(tools, t)
	}
	return tools
}

// notifyCaller notifies the clients of a caller, or one session, that a list has changed.
func (g *Gateway) notifyCaller(key listKey, method string) {
	if method == toolsChanged && g.opts.Expose == Meta {
		return // the meta-tools do not change
	}
	g.hub.broadcastTo(key.caller, method)
	for _, p := range g.hub.all() {
		if p.Caller == key.caller && (key.session == nil || key.session == any(p)) {
			p.Notify(method, nil)
		}
	}
}

// AccountsChanged reads the lists of a server again for the callers for which a function reports true, and notifies
// their clients: they have connected or removed an account.
func (g *Gateway) AccountsChanged(server string, is func(caller string) bool) {
	g.lists.mu.Lock()
	var changed []listKey
	for key, r := range g.lists.all {
		if key.server == server && is(key.caller) {
			r.read, r.failed = time.Time{}, time.Time{}
			if r.shown != nil {
				changed = append(changed, key)
			}
		}
	}
	g.lists.mu.Unlock()
	for _, key := range changed {
		for _, method := range []string{toolsChanged, promptsChanged, resourcesChanged} {
			g.notifyCaller(key, method)
		}
	}
}
