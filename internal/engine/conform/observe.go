package conform

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// Bounds of looking at what a server holds.
const (
	maxObserved      = 6 // tools that are called, and whose results are compared
	maxObservedReads = 3 // resources that are read
)

// An observer is a request whose result shows what a server holds.
type observer struct {
	subject string
	method  string
	params  json.RawMessage
}

// observers are the tools that say they are read-only, and the first resources.
func (p *Pass) observers(ctx context.Context, tools []Tool) []observer {
	var all []observer
	for _, t := range tools {
		all = append(all, t.observer())
	}
	reads, err := p.Reads(ctx)
	if err != nil {
		return all // a server without resources
	}
	for _, r := range reads[:min(len(reads), maxObservedReads)] {
		if r.Exchange.Reply.Error == nil {
			all = append(all, observer{r.Item.Name, "resources/read", mcp.Object("uri", r.Item.Name)})
		}
	}
	return all
}

func (t Tool) observer() observer {
	return observer{t.Name, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments)}
}

// observe makes the request of an observer. What it shows is the content of the result.
func (p *Pass) observe(ctx context.Context, s *mcp.Session, o observer) (*mcp.Exchange, error) {
	return p.CallIn(ctx, s, o.method, o.params)
}

// sameView reports whether two results of an observer show the same.
func sameView(a, b *mcp.Exchange) bool {
	if (a.Reply.Error == nil) != (b.Reply.Error == nil) {
		return false
	}
	x, y := At(a.Reply.Result, "/contents"), At(b.Reply.Result, "/contents")
	if x != nil && y != nil && !equalJSON(x, y) {
		return false
	}
	return sameResult(a.Reply.Result, b.Reply.Result)
}

// readOnlyTools lists the tools that say they are read-only and answer at once.
func (p *Pass) readOnlyTools(ctx context.Context) ([]Tool, error) {
	done, err := p.quick(ctx)
	if err != nil {
		return nil, err
	}
	var some []Tool
	for _, c := range done {
		if string(At(c.Definition, "/annotations/readOnlyHint")) == "true" && !inquires(c) && len(some) < maxObserved {
			some = append(some, c.Tool)
		}
	}
	if len(some) == 0 {
		return nil, p.Skip("no read-only tool that may be called answered at once")
	}
	return some, nil
}

// changedBy finds an observer whose view a call of a tool changes; nil if there is none. A view that changes by itself does
// not count, and neither does a change that happens once only.
func (p *Pass) changedBy(ctx context.Context, s *mcp.Session, t Tool, all []observer, ends time.Time) (*observer, *mcp.Exchange, error) {
	before := make([]*mcp.Exchange, len(all))
	for i, o := range all {
		ex, err := p.observe(ctx, s, o)
		if err != nil {
			return nil, nil, err
		}
		before[i] = ex
	}
	if _, err := p.observe(ctx, s, t.observer()); err != nil {
		return nil, nil, err
	}
	for i, o := range all {
		if o.subject == t.Name || time.Now().After(ends) {
			continue
		}
		after, err := p.observe(ctx, s, o)
		if err != nil {
			return nil, nil, err
		}
		if sameView(before[i], after) {
			continue
		}
		if is, err := p.changesAgain(ctx, s, t, o); err != nil || is {
			return &all[i], after, err
		}
	}
	return nil, nil, nil
}

// changesAgain reports whether a call of a tool changes a view that stays the same otherwise: in this session once more, or
// in a process of its own.
func (p *Pass) changesAgain(ctx context.Context, s *mcp.Session, t Tool, o observer) (bool, error) {
	is, err := p.changesOnce(ctx, s, t, o)
	if is || err != nil || placeOf(p.Target.Transport()) == OnHTTP {
		return is, err
	}
	own, err := p.Open(ctx, nil)
	if err != nil {
		return false, err
	}
	return p.changesOnce(ctx, own, t, o)
}

func (p *Pass) changesOnce(ctx context.Context, s *mcp.Session, t Tool, o observer) (bool, error) {
	var views []*mcp.Exchange
	for _, next := range []observer{o, o, o, t.observer(), o, o, o} {
		ex, err := p.observe(ctx, s, next)
		if err != nil {
			return false, err
		}
		if next.subject == o.subject {
			views = append(views, ex)
		}
	}
	for i, v := range views[1:] {
		if called := i == 2; sameView(views[i], v) == called {
			return false, nil
		}
	}
	return true, nil
}
