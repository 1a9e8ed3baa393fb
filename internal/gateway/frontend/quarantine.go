package frontend

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
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
	"golang.org/x/time/rate"
)

// recheckEvery is how often the lists of a server are read with a lock, although it announced no change: not every
// server does, and not every connection can.
const recheckEvery = 30 * time.Second

func (g *Gateway) recheck() time.Duration {
	if g.guard.Active() {
		return recheckEvery
	}
	return 0
}

// seen passes the lists of a server to the guard. Calls wait for it, so nothing else happens here.
func (g *Gateway) seen(s *upstream.Server, session *mcp.Session, surface *mcp.Surface) {
	g.guard.List(s.Name, definitionsOf(surface.Tools), definitionsOf(surface.Prompts), session.Instructions)
}

func definitionsOf(list *mcp.List) []json.RawMessage {
	if list == nil {
		return nil
	}
	var all []json.RawMessage
	for _, item := range list.Items {
		if item.Odd == "" {
			all = append(all, item.Raw)
		}
	}
	return all
}

// admission returns the check before each sending of a request for a definition: it must be approved in the list that
// the server sent last, after everything that it announced.
func (g *Gateway) admission(s *upstream.Server, kind, name string) func(context.Context) error {
	return func(ctx context.Context) error {
		if !g.guard.Active() {
			return nil
		}
		if err := s.AwaitLists(ctx); err != nil {
			return &catalog.QuarantineError{Key: catalog.Key{Server: s.Name, Name: name}, Kind: kind,
				Reason: catalog.ReasonUnverified}
		}
		if !g.sameAsShared(s, kind, name) {
			return &catalog.QuarantineError{Key: catalog.Key{Server: s.Name, Name: name}, Kind: kind,
				Reason: catalog.ReasonChanged}
		}
		return g.guard.Check(s.Name, kind, name)
	}
}

// refusal returns why a tool of a server may not be called by what is known now, so that the call need not wait for its
// turn; nil if that is not known yet.
func (g *Gateway) refusal(run *catalog.UpstreamRun) error {
	if run == nil {
		return nil
	}
	err := g.guard.Check(run.Server, quarantine.Tool, run.Tool)
	if err == nil {
		return nil
	}
	var refused *catalog.QuarantineError
	if errors.As(err, &refused) && refused.Hash == "" {
		return nil // the server may list it by then
	}
	return err
}

func invocation(c *serve.Call, arguments json.RawMessage) invoke.Invocation {
	return invoke.Invocation{Caller: c.Peer.Caller, Arguments: arguments, Trace: forward.TraceID(c)}
}

// refusedTool returns the error for a tool that clients do not see because it is quarantined, and records the call; nil
// if there is none with the name.
func (g *Gateway) refusedTool(c *serve.Call, name string, arguments json.RawMessage) error {
	refused := g.refusedName(g.caller(c.Peer), name)
	if refused == nil {
		return nil
	}
	g.opts.Invoker.NoteRefused(invocation(c, arguments), refused)
	return refused
}

// refusedName finds a quarantined tool that clients do not see, by the name that they would see, or server/name.
func (g *Gateway) refusedName(caller *access.Caller, name string) *catalog.QuarantineError {
	if !g.guard.Active() {
		return nil
	}
	for _, e := range g.guard.Refused(quarantine.Tool) {
		seen := naming.Expose(e.Key.Server, e.Key.Name, naming.Max-g.opts.Prefix) == name || e.Key.String() == name
		if _, err := g.opts.Catalog.Get(e.Key); seen && err != nil && caller.May(e.Key.Server, e.Key.Name) &&
			g.mayKnow(caller, e.Key) {
			return e
		}
	}
	return nil
}

// mayKnow reports whether a caller may know that a server lists a tool.
func (g *Gateway) mayKnow(caller *access.Caller, tool catalog.Key) bool {
	_, apart := g.view.Load().byCaller[tool.Server]
	return !apart || g.lists.lists(tool.Server, caller.Name, naming.Expose(tool.Server, tool.Name, naming.Max-g.opts.Prefix))
}

// refusedPrompt is refusedName for a prompt.
func (g *Gateway) refusedPrompt(c *serve.Call, name string) error {
	for _, e := range g.guard.Refused(quarantine.Prompt) {
		if _, apart := g.view.Load().byCaller[e.Key.Server]; apart {
			continue // which prompts there are differs between callers
		}
		if naming.Expose(e.Key.Server, e.Key.Name, naming.Max-g.opts.Prefix) == name && g.caller(c.Peer).Sees(e.Key.Server) {
			return e
		}
	}
	return nil
}

// releasedPrompts returns the prompts of a server that clients may use.
func (g *Gateway) releasedPrompts(server string, listed *mcp.List) *mcp.List {
	definitions, refused, locked := g.guard.Served(server, quarantine.Prompt)
	if !locked || listed == nil {
		return listed
	}
	out := &mcp.List{Key: listed.Key}
	for _, raw := range definitions {
		name := serve.Text(serve.Members(raw)["name"])
		if _, bad := refused[name]; !bad {
			out.Items = append(out.Items, mcp.Item{Name: name, Raw: raw})
		}
	}
	return out
}

// SetLock replaces the lock; nil removes it. The lists of all servers are read again, and calls wait for them.
func (g *Gateway) SetLock(p *quarantine.Policy) {
	g.guard.SetPolicy(p)
	if p == nil {
		g.opts.Catalog.SetFilter(nil)
	} else {
		g.guard.SetReviews(g.opts.Catalog.Reviews(""))
		g.opts.Catalog.SetFilter(g.guard.Visible)
	}
	for _, name := range g.names() {
		if s := g.server(name); s != nil {
			s.Relist()
		}
	}
	for _, own := range g.allProcesses() {
		own.pool.Reset() // they have not read their lists without a lock
	}
	g.lists.drop(func(listKey) bool { return true })
	g.Rebuild()
}

// Quarantine is what is refused now, for operators.
func (g *Gateway) Quarantine() *quarantine.Guard { return g.guard }

// followReviews applies approvals that any replica writes to the store.
func (g *Gateway) followReviews(ctx context.Context) {
	for {
		change := g.opts.Catalog.ReviewsChanged()
		g.applyReviews()
		select {
		case <-change:
		case <-ctx.Done():
			return
		}
	}
}

func (g *Gateway) applyReviews() {
	if !g.guard.Active() {
		return
	}
	reviews := g.opts.Catalog.Reviews("")
	changed := g.guard.SetReviews(reviews)
	g.opts.Catalog.SetFilter(g.guard.Visible)
	for _, name := range changed {
		if s := g.server(name); s != nil && s.Surface() != nil {
			g.publish(s)
		}
	}
	if len(changed) > 0 {
		g.Rebuild()
	}
	for _, name := range g.names() {
		if unrecorded(reviews, g.guard.Proposals(name)) {
			g.guard.Mark(name)
		}
	}
}

// unrecorded reports whether a definition that waits is not in the store: another approval has removed it.
func unrecorded(reviews []catalog.Review, proposals []catalog.Proposal) bool {
	there := map[catalog.ReviewID][]catalog.Candidate{}
	for _, r := range reviews {
		there[r.ID()] = r.Candidates
	}
	return slices.ContainsFunc(proposals, func(p catalog.Proposal) bool {
		return p.Candidate != nil && !slices.ContainsFunc(there[p.ID],
			func(c catalog.Candidate) bool { return c.Hash == p.Candidate.Hash })
	})
}

// Decisions are compared, stored and logged as they change, but not more often than this in the long run: a server can
// change all the time.
const (
	recordEvery = time.Second
	recordBurst = 10
)

// recordQuarantine compares what is refused with what was approved, releases what is harmless, and records the rest in
// the store, the log and the audit.
func (g *Gateway) recordQuarantine(ctx context.Context) {
	noted := map[string]map[catalog.ReviewID]string{}
	limit := rate.NewLimiter(rate.Every(recordEvery), recordBurst)
	for {
		select {
		case <-g.guard.Changed():
		case <-ctx.Done():
			return
		}
		if limit.Wait(ctx) != nil {
			return
		}
		for _, name := range g.guard.Take() {
			if s := g.server(name); g.guard.Evaluate(name) && s != nil {
				g.publish(s)
				g.Rebuild()
			}
			if err := g.opts.Catalog.Propose(ctx, g.guard.Proposals(name)); err != nil && ctx.Err() == nil {
				g.opts.Log.Error("cannot record quarantined definitions", "server", name, "error", err.Error())
				time.AfterFunc(recordEvery, func() { g.guard.Mark(name) })
			}
			noted[name] = g.noteQuarantine(noted[name], g.guard.Decisions(name))
		}
	}
}

// noteQuarantine logs what was quarantined or released since the last time, and returns what is quarantined now.
func (g *Gateway) noteQuarantine(before map[catalog.ReviewID]string,
	decisions []quarantine.Decision) map[catalog.ReviewID]string {
	now := map[catalog.ReviewID]string{}
	for _, d := range decisions {
		note := func(action, outcome string) {
			g.opts.Invoker.NoteQuarantine("gateway", action, d.ID.Kind,
				catalog.Key{Server: d.ID.Server, Name: d.ID.Name}, d.Definition, outcome)
		}
		switch {
		case d.Reason != "":
			if now[d.ID] = d.Hash; before[d.ID] != d.Hash {
				note("quarantine", d.Reason)
			}
		case before[d.ID] != "":
			note("release", string(invoke.Success))
		}
	}
	return now
}
