package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// A catalog is what the server offers; each list is read once per round.
type catalog struct {
	round   *revisionRun
	reading semaphore // held while a list is read

	mu     sync.Mutex
	lists  map[string]*mcp.List
	failed map[string]int           // how often reading a list failed
	called map[string]*mcp.Exchange // exchanges of tool calls
}

// maxListFailures is how often a list is requested without success before the checks that need it continue without it.
const maxListFailures = 2

// List reads one of the server's lists ("tools/list" and so on) to its end, once for all checks, in the shared session.
func (p *CheckContext) List(ctx context.Context, method string) (*mcp.List, error) {
	c := &p.round.items
	if err := p.await(ctx, c.reading); err != nil {
		return nil, err
	}
	defer c.reading.put()
	if l := c.lists[method]; l != nil {
		return l, nil
	}
	if c.failed[method] >= maxListFailures {
		return nil, fmt.Errorf("%s got no response earlier", method)
	}
	s, err := p.Session(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, 2*p.Timeout(), p.silent(method, 2*p.Timeout()))
	defer cancel()
	l, err := s.List(ctx, method)
	if err != nil {
		if c.failed == nil {
			c.failed = map[string]int{}
		}
		if c.failed[method]++; c.failed[method] == maxListFailures && p.lost(err) {
			p.round.lost.add(p.Check.ID, wire.Reason(err)) // the checks that continue without the list will not report it
		}
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lists == nil {
		c.lists = map[string]*mcp.List{}
	}
	c.lists[method] = l
	return l, nil
}

// A Tool is a tool that may be called, with arguments that match its schema.
type Tool struct {
	Name       string
	Definition json.RawMessage
	Arguments  json.RawMessage
	Other      json.RawMessage // arguments with which it returned something else; nil if none are known
}

// Callable lists the tools that may be called: the safe ones, those named by the user, or all if the user allows it.
// Tools for which no sample arguments can be generated are skipped.
func (p *CheckContext) Callable(ctx context.Context) ([]Tool, error) {
	if !p.round.offers("tools") {
		return nil, p.Skip("the server does not declare tools")
	}
	tools, err := remember(ctx, p, "callable", func() ([]Tool, error) { return p.callable(ctx) })
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return !p.round.hasCalls(t.Name) }), err
}

func (p *CheckContext) callable(ctx context.Context) ([]Tool, error) {
	list, err := p.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	var tools []Tool
	for _, item := range list.Items {
		if item.Name == "" || !p.round.mayCall(item) {
			continue
		}
		input := At(item.Raw, "/inputSchema")
		sample, err := schema.Sample(input, &schema.SampleOptions{Style: schema.Typical})
		if input == nil || err != nil {
			continue
		}
		tools = append(tools, Tool{Name: item.Name, Definition: item.Raw, Arguments: sample})
		p.round.limit(item)
	}
	return tools, nil
}

// mayCall reports whether a tool may be called.
func (r *revisionRun) mayCall(item mcp.Item) bool {
	return r.opts.Permit.Of(item.Raw).Calls > 0
}

// permitted lists the tools that the user allows: those named, and those without annotations.
func (r *revisionRun) permitted() []string {
	names := slices.Clone(r.opts.Permit.Tools)
	for _, t := range r.listed() {
		if r.mayCall(t) && safety.Of(t.Raw).Calls == 0 && !r.opts.Permit.All && !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// notCalled lists the tools that were called in none of the rounds, with the reason: older revisions have no
// annotations, and a tool that is read-only in a newer revision was called there. The reason is that of the newest
// revisionRun.
func notCalled(rounds []*revisionRun) []string {
	called, why := map[string]bool{"": true}, map[string]string{}
	var names []string
	for _, r := range rounds {
		for _, t := range r.listed() {
			switch {
			case r.mayCall(t):
				called[t.Name] = true
			case why[t.Name] == "":
				names, why[t.Name] = append(names, t.Name), safety.Of(t.Raw).Why
			}
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return called[name] })
	for i, name := range names {
		names[i] = name + " (" + why[name] + ")"
	}
	return names
}

// notRequested lists the prompts that were not requested in a round, with the reasons.
func notRequested(rounds []*revisionRun) []string {
	var names []string
	for _, r := range rounds {
		list := r.list("prompts/list")
		if list == nil {
			continue
		}
		for _, item := range list.Items {
			why := r.opts.Permit.Prompt(item.Raw)
			name := item.Name + " (" + why + ")"
			if why != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// listed returns the result of tools/list, if it was requested.
func (r *revisionRun) listed() []mcp.Item {
	if list := r.list("tools/list"); list != nil {
		return list.Items
	}
	return nil
}

// list returns a list that was read before; nil if it was not.
func (r *revisionRun) list(method string) *mcp.List {
	r.items.mu.Lock()
	defer r.items.mu.Unlock()
	return r.items.lists[method]
}

// CallTool calls a tool that may be called with its sample arguments, once for all checks, and returns the exchange.
func (p *CheckContext) CallTool(ctx context.Context, t Tool) (*mcp.Exchange, error) {
	c := &p.round.items
	c.mu.Lock()
	ex := c.called[t.Name]
	c.mu.Unlock()
	if ex != nil {
		return ex, nil
	}
	ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
	if err != nil {
		return nil, fmt.Errorf("call the tool %s: %w", t.Name, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.called == nil {
		c.called = map[string]*mcp.Exchange{}
	}
	c.called[t.Name] = ex
	return ex, nil
}
