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

// A call that changes a view, and the view after it.
type changingCall struct {
	tool  string
	after *mcp.Exchange
}

// changedBy returns the call of a tool that changes a view that stays the same otherwise: in this session, or in a
// process of its own if the change happens once only; nil if there is none.
func (p *CheckContext) changedBy(ctx context.Context, s *mcp.Session, tools []Tool, o observer,
	ends time.Time) (*changingCall, error) {
	for _, own := range []bool{false, true} {
		if own && transportOf(p.Target.Transport()) == OnHTTP {
			return nil, nil
		}
		for _, t := range tools {
			if o.subject == t.Name {
				continue
			}
			if time.Now().After(ends) {
				return nil, nil // a slow server: the calls of a user are not worth the wait
			}
			changes := p.changesEachTime
			if own {
				var err error
				if s, err = p.Open(ctx, nil); err != nil {
					return nil, err
				}
				changes = p.changesOnce
			}
			if after, err := changes(ctx, s, t, o); after != nil || err != nil {
				return &changingCall{t.Name, after}, err
			}
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
		after, err := p.changesOnce(ctx, s, call, o)
		if err != nil || after == nil && (i > 0 || len(calls) == 2) {
			return nil, err
		}
		if after != nil {
			seen++
		}
		if seen == 2 {
			return after, nil
		}
	}
	return nil, nil
}

// changesOnce returns what an observer shows after a call of a tool, if the call changes its view and nothing else
// does; nil otherwise.
func (p *CheckContext) changesOnce(ctx context.Context, s *mcp.Session, t Tool, o observer) (*mcp.Exchange, error) {
	var last, changed *mcp.Exchange
	for i, next := range []observer{o, o, o, t.observer(), o, o, o} {
		ex, err := p.observe(ctx, s, next)
		if err != nil {
			return nil, err
		}
		const call = 3 // the call of the tool is in the middle
		if i == call {
			continue
		}
		if last != nil && sameView(last, ex) == (i == call+1) {
			return nil, nil
		}
		if i == call+1 {
			changed = ex
		}
		last = ex
	}
	return changed, nil
}
