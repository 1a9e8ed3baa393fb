package conform

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Bounds of looking at what a server holds.
const (
	maxObserved      = 16 // tools that are called, and whose results are compared
	maxObservedReads = 3  // resources that are read
)

// An observer is a request whose result shows what a server holds.
type observer struct {
	subject string
	method  string
	params  json.RawMessage
}

// observers are the first resources, the lists, and the tools that say they are read-only.
func (p *CheckContext) observers(ctx context.Context, tools []Tool) []observer {
	var all []observer
	reads, _ := p.Reads(ctx) // a server without resources has none
	for _, r := range reads[:min(len(reads), maxObservedReads)] {
		if r.Exchange.Reply.Error == nil {
			all = append(all, observer{r.Item.Name, "resources/read", mcp.Object("uri", r.Item.Name)})
		}
	}
	for _, list := range []string{"tools", "resources", "prompts"} {
		if p.round.offers(list) {
			all = append(all, observer{list + "/list", list + "/list", mcp.Object()})
		}
	}
	var own []observer
	for _, t := range tools {
		if members, _ := schema.Members(t.Arguments); len(members) == 0 {
			all = append(all, t.observer())
		} else {
			own = append(own, t.observer())
		}
	}
	return append(all, own...) // what others wrote is seen before it is written again
}

// otherCalls are calls of tools with other arguments than those of their observers: a tool that stores the same text as
// before changes nothing.
func otherCalls(tools []Tool) []observer {
	var all []observer
	for _, t := range tools {
		if other, ok := t.other(); ok {
			all = append(all, other.observer())
		}
	}
	return all
}

// other returns the tool with other sample arguments.
func (t Tool) other() (Tool, bool) {
	samples := twoSamples(t)
	t.Arguments = samples[len(samples)-1]
	return t, len(samples) > 1
}

func (t Tool) observer() observer {
	return observer{t.Name, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments)}
}

// observe makes the request of an observer. What it shows is the content of the result.
func (p *CheckContext) observe(ctx context.Context, s *mcp.Session, o observer) (*mcp.Exchange, error) {
	return p.CallIn(ctx, s, o.method, o.params)
}

// sameView reports whether two results of an observer show the same, apart from times.
func sameView(a, b *mcp.Exchange) bool {
	if (a.Reply.Error == nil) != (b.Reply.Error == nil) {
		return false
	}
	one, other := times().ReplaceAll(a.Reply.Result, []byte("0")), times().ReplaceAll(b.Reply.Result, []byte("0"))
	for _, key := range []string{"/contents", "/tools", "/resources", "/prompts"} {
		x, y := At(one, key), At(other, key)
		if x != nil && y != nil && !equalJSON(x, y) {
			return false
		}
	}
	return sameResult(one, other)
}

// times matches times of day with their fractions, and seconds or milliseconds since 1970: a server may record when it
// was used.
var times = lazyregexp.New(`\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?|\b1\d{9}(\d{3}|\.\d+)?\b`)

// readOnlyTools lists the tools that say they are read-only and answer at once.
func (p *CheckContext) readOnlyTools(ctx context.Context) ([]Tool, error) {
	done, err := p.quick(ctx)
	if err != nil {
		return nil, err
	}
	var some []Tool
	for _, c := range done {
		if string(At(c.Definition, "/annotations/readOnlyHint")) == "true" && !causedRequest(c) &&
			len(some) < maxObserved {
			some = append(some, c.Tool)
		}
	}
	if len(some) == 0 {
		return nil, p.Skip("no read-only tool that may be called answered at once")
	}
	return some, nil
}

// changing returns the observers whose view changes when every observer looks again, without those whose view changes
// by itself. If there is none, no tool among the observers writes what another one shows.
func (p *CheckContext) changing(ctx context.Context, s *mcp.Session, all []observer, between ...observer) ([]observer,
	error) {
	var before []*mcp.Exchange
	for _, o := range append(slices.Clone(all), between...) {
		ex, err := p.observe(ctx, s, o)
		if err != nil {
			return nil, err
		}
		before = append(before, ex)
	}
	var some []observer
	for i, o := range all {
		after, err := p.observe(ctx, s, o)
		if err != nil {
			return nil, err
		}
		if sameView(before[i], after) {
			continue
		}
		steady, err := p.isSteady(ctx, s, o)
		if err != nil {
			return nil, err
		}
		if steady {
			some = append(some, o)
		}
	}
	return some, nil
}

// isSteady reports whether a view does not change by itself.
func (p *CheckContext) isSteady(ctx context.Context, s *mcp.Session, o observer) (bool, error) {
	var last *mcp.Exchange
	for range 3 {
		ex, err := p.observe(ctx, s, o)
		if err != nil || last != nil && !sameView(last, ex) {
			return false, err
		}
		last = ex
	}
	return true, nil
}

// A changingCall is the call of a tool that changes a view, and the view after it.
type changingCall struct {
	tool  string
	view  observer
	after *mcp.Exchange
}

// changedBy returns calls of tools that change views that stay the same otherwise: in this session, or in a process of its own for
// each tool if the change happens once only. A slow server is not tested for longer than is worth the wait for a user.
func (p *CheckContext) changedBy(ctx context.Context, s *mcp.Session, tools []Tool, views []observer,
	ends time.Time) (found []changingCall, err error) {
	var left []observer
	for _, o := range views {
		call, err := p.changedEachTime(ctx, s, tools, o, ends)
		switch {
		case err != nil:
			return nil, err
		case call == nil:
			left = append(left, o)
		default:
			found = append(found, *call)
		}
	}
	if transportOf(p.Target.Transport()) == OnHTTP {
		return found, nil
	}
	for _, t := range tools {
		others := slices.DeleteFunc(slices.Clone(left), func(o observer) bool { return o.subject == t.Name })
		if len(others) == 0 {
			continue
		}
		if time.Now().After(ends) {
			break
		}
		if s, err = p.Open(ctx, nil); err != nil {
			return nil, err
		}
		changed, err := p.changesOnce(ctx, s, t, others)
		if err != nil {
			return nil, err
		}
		if len(changed) > 0 { // a server may still be starting
			if changed, err = p.changesAgain(ctx, t, changed); err != nil {
				return nil, err
			}
		}
		found = append(found, changed...)
		for _, call := range changed {
			left = slices.DeleteFunc(left, func(o observer) bool { return o.subject == call.view.subject })
		}
	}
	return found, nil
}

// changesAgain returns those of the changes that a call makes in another process, too.
func (p *CheckContext) changesAgain(ctx context.Context, t Tool, before []changingCall) ([]changingCall, error) {
	s, err := p.Open(ctx, nil)
	if err != nil {
		return nil, err
	}
	var views []observer
	for _, call := range before {
		views = append(views, call.view)
	}
	p.waitUntil(ctx, time.Now().Add(clockTick))
	return p.changesOnce(ctx, s, t, views)
}

// clockTick is longer than a second: a view that shows how long the server runs changes meanwhile.
const clockTick = 1100 * time.Millisecond

// changedEachTime returns the call of a tool that changes a view each time; nil if there is none.
func (p *CheckContext) changedEachTime(ctx context.Context, s *mcp.Session, tools []Tool, o observer, ends time.Time) (*changingCall, error) {
	for _, t := range tools {
		if o.subject == t.Name || time.Now().After(ends) {
			continue
		}
		if after, err := p.changesEachTime(ctx, s, t, o); after != nil || err != nil {
			return &changingCall{t.Name, o, after}, err
		}
	}
	return nil, nil
}

// changesEachTime is changesOnce, seen twice: another client of the same server may change the view at the same moment.
// With two sets of arguments, the first call may store what the view shows already.
func (p *CheckContext) changesEachTime(ctx context.Context, s *mcp.Session, t Tool, o observer) (*mcp.Exchange, error) {
	calls := []Tool{t, t}
	if other, ok := t.other(); ok {
		calls = []Tool{t, other, t}
	}
	seen := 0
	for i, call := range calls {
		changed, err := p.changesOnce(ctx, s, call, []observer{o})
		if err != nil || len(changed) == 0 && (i > 0 || len(calls) == 2) {
			return nil, err
		}
		if len(changed) > 0 {
			if seen++; seen == 2 {
				return changed[0].after, nil
			}
		}
	}
	return nil, nil
}

// changesOnce returns the views that a call of a tool changes, if nothing else does.
func (p *CheckContext) changesOnce(ctx context.Context, s *mcp.Session, t Tool, views []observer) ([]changingCall, error) {
	last, changed := make([]*mcp.Exchange, len(views)), make([]*mcp.Exchange, len(views))
	excluded := make([]bool, len(views))
	const before, rounds = 3, 7 // the call of the tool is in the middle; the last round comes later
	for round := range rounds {
		if round == rounds-1 {
			if !slices.Contains(excluded, false) {
				break
			}
			p.waitUntil(ctx, time.Now().Add(clockTick))
		}
		if round == before {
			if _, err := p.observe(ctx, s, t.observer()); err != nil {
				return nil, err
			}
		}
		for i, o := range views {
			if excluded[i] {
				continue
			}
			ex, err := p.observe(ctx, s, o)
			if err != nil {
				return nil, err
			}
			if last[i] != nil && sameView(last[i], ex) == (round == before) {
				excluded[i] = true
			}
			if round == before {
				changed[i] = ex
			}
			last[i] = ex
		}
	}
	var calls []changingCall
	for i, o := range views {
		if !excluded[i] {
			calls = append(calls, changingCall{t.Name, o, changed[i]})
		}
	}
	return calls, nil
}
