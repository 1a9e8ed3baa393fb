package frontend

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A callerView is what one caller can see: the view of all callers and, of the servers that list for each caller
// separately, its own lists.
type callerView struct {
	*view
	own      []*view                     // one for each such server that has listed
	listings map[string]*catalog.Listing // by such server; nil if it has not listed, or was not requested
	lists    map[string]*callerList
	failed   map[string]error
}

// viewOf returns what a client can see. It waits for the lists of servers that have not listed for its caller, for as
// long as lists wait for servers after the start.
func (g *Gateway) viewOf(ctx context.Context, c *serve.Call) *callerView {
	if v := g.view.Load(); len(v.byCaller) == 0 {
		return &callerView{view: v}
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.Grace)
	defer cancel()
	return g.viewFor(ctx, c.Peer.Caller, c.Peer, false, nil)
}

// viewOfName is viewOf for a request with a name, which waits for the lists of the server of that name only, and for as
// long as a call may take.
func (g *Gateway) viewOfName(ctx context.Context, c *serve.Call, name string) *callerView {
	if v := g.view.Load(); len(v.byCaller) == 0 {
		return &callerView{view: v}
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.Invoker.Limit())
	defer cancel()
	return g.viewFor(ctx, c.Peer.Caller, c.Peer, true, func(server string) bool { return naming.Belongs(name, server) })
}

// Listings returns what servers list for a caller, instead of their tools in the catalog, by server.
func (g *Gateway) Listings(ctx context.Context, caller string) map[string]*catalog.Listing {
	ctx, cancel := context.WithTimeout(ctx, g.opts.Grace)
	defer cancel()
	return g.viewFor(ctx, caller, nil, false, nil).listings
}

// viewFor returns what a caller can see. It reads the lists of the servers that it may use and that the function wants;
// nil means all.
func (g *Gateway) viewFor(ctx context.Context, name string, p *serve.Peer, patient bool,
	wants func(server string) bool) *callerView {
	v := &callerView{view: g.view.Load()}
	if len(v.byCaller) == 0 {
		return v
	}
	v.listings, v.lists, v.failed = map[string]*catalog.Listing{}, map[string]*callerList{}, map[string]error{}
	caller := g.callerNamed(name)
	var mu sync.Mutex
	var group sync.WaitGroup
	for server := range v.byCaller {
		if v.listings[server] = nil; !caller.Sees(server) || wants != nil && !wants(server) {
			continue
		}
		group.Go(func() {
			list, err := g.listOf(ctx, server, name, p, patient)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				v.failed[server] = err
			} else {
				v.lists[server] = list
			}
		})
	}
	group.Wait()
	for _, server := range slices.Sorted(maps.Keys(v.lists)) {
		v.listings[server] = v.lists[server].listing
		v.own = append(v.own, v.approved(v.byCaller[server], v.lists[server].view))
	}
	return v
}

// approved returns the lists of a caller with the definitions of a lock; without a lock, as they are.
func (v *callerView) approved(lock, listed *view) *view {
	if lock == nil {
		return listed
	}
	out := &view{byTool: map[string]*exposedTool{}, byPrompt: map[string]*exposedItem{}, resources: listed.resources,
		templates: listed.templates}
	for i := range lock.tools {
		if t := &lock.tools[i]; listed.byTool[t.name] != nil {
			out.tools, out.byTool[t.name] = append(out.tools, *t), t
		}
	}
	for i := range lock.prompts {
		if p := &lock.prompts[i]; listed.byPrompt[p.seen] != nil {
			out.prompts, out.byPrompt[p.seen] = append(out.prompts, *p), p
		}
	}
	return out
}

// tool returns the tool with a name; nil if there is none.
func (v *callerView) tool(name string) *exposedTool {
	for _, own := range v.own {
		if t := own.byTool[name]; t != nil {
			return t
		}
	}
	return v.byTool[name]
}

// prompt returns the prompt with a name; nil if there is none.
func (v *callerView) prompt(name string) *exposedItem {
	for _, own := range v.own {
		if p := own.byPrompt[name]; p != nil {
			return p
		}
	}
	return v.byPrompt[name]
}

// allTools lists the tools by name.
func (v *callerView) allTools() []exposedTool {
	return joined(v, func(v *view) []exposedTool { return v.tools },
		func(a, b exposedTool) int { return strings.Compare(a.name, b.name) })
}

// allOf lists the prompts, resources or templates by name.
func (v *callerView) allOf(list func(*view) []exposedItem) []exposedItem {
	return joined(v, list, func(a, b exposedItem) int { return strings.Compare(a.seen, b.seen) })
}

func promptsOf(v *view) []exposedItem   { return v.prompts }
func resourcesOf(v *view) []exposedItem { return v.resources }
func templatesOf(v *view) []exposedItem { return v.templates }

// joined merges the lists of a view, each of which is sorted.
func joined[T any](v *callerView, list func(*view) []T, compare func(a, b T) int) []T {
	all := list(v.view)
	for _, own := range v.own {
		more, rest := list(own), all
		all = make([]T, 0, len(rest)+len(more))
		for len(rest) > 0 && len(more) > 0 {
			if compare(rest[0], more[0]) <= 0 {
				all, rest = append(all, rest[0]), rest[1:]
			} else {
				all, more = append(all, more[0]), more[1:]
			}
		}
		all = append(append(all, rest...), more...)
	}
	return all
}

// hidden lists the servers that list for each caller separately, without any lists: what all callers can see.
func (v *view) hidden() map[string]*catalog.Listing {
	all := map[string]*catalog.Listing{}
	for server := range v.byCaller {
		all[server] = nil
	}
	return all
}
