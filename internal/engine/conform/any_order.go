package conform

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// orderedCalls are calls of one tool with different arguments, made one after the other.
type orderedCalls struct {
	CallResult
	calls []json.RawMessage // arguments
	seen  []*mcp.Exchange
}

// Limits of calls in different orders.
const (
	maxChanged = 5                      // arguments that are changed
	orderTime  = 100 * time.Millisecond // tools that take longer are not called in another order
)

// oneChanged returns the sample arguments of a tool, then these with another value for one argument each, and without the optional ones:
// a filter of an earlier call may still apply there.
func oneChanged(t Tool) []json.RawMessage {
	all := []json.RawMessage{t.Arguments}
	members := declaredArguments(t.Definition)
	for _, m := range members[:min(len(members), maxChanged)] {
		for _, value := range otherValues(m.Value) {
			changed := withArgument(t, t.Arguments, m.Name, value)
			if !slices.ContainsFunc(all, func(a json.RawMessage) bool { return equalJSON(a, changed) }) {
				all = append(all, changed)
			}
		}
	}
	if least := withoutOptionals(t); !equalJSON(withDefaults(least), withDefaults(t)) {
		all = append(all, least.Arguments)
	}
	return all
}

// withDefaults returns the arguments of a tool, with the defaults of those that are omitted.
func withDefaults(t Tool) json.RawMessage {
	for _, m := range declaredArguments(t.Definition) {
		if value := At(m.Value, "/default"); value != nil && member(t.Arguments, m.Name) == nil {
			t.Arguments = withArgument(t, t.Arguments, m.Name, string(value))
		}
	}
	return t.Arguments
}

// otherValues returns values for an argument: what its schema lists, or small values of its type. The default comes first: a cache that
// ignores the argument must not be filled with it in both orders.
func otherValues(property json.RawMessage) []string {
	values, _ := schema.Elements(At(property, "/enum"))
	var all []string
	for _, v := range values[:min(len(values), 3)] {
		all = append(all, string(v))
	}
	switch kind := schema.TextAt(property, "/type"); {
	case len(all) > 0:
	case kind == "boolean":
		all = []string{"false", "true"}
	case kind == "integer" || kind == "number":
		all = []string{"1", "2"}
	case kind == "string":
		all = []string{`"mcptest other"`}
	}
	if at := slices.Index(all, string(At(property, "/default"))); at > 0 {
		all[0], all[at] = all[at], all[0]
	}
	return all
}

// backward makes the calls of each tool in a session, the sample call last.
func (p *CheckContext) backward(ctx context.Context, s *mcp.Session, done []CallResult) ([]orderedCalls, error) {
	var all []orderedCalls
	for _, c := range done {
		o := orderedCalls{CallResult: c, calls: oneChanged(c.Tool)}
		if len(o.calls) < 2 || c.Exchange.Elapsed > orderTime {
			continue
		}
		o, err := p.inOrder(ctx, s, o, true)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// inAnyOrder makes the calls of each tool in the session in which the sample calls were made first. It reports tools
// with a call whose result depends on the order, if the same happens in new processes.
func (p *CheckContext) inAnyOrder(ctx context.Context, backward []orderedCalls) error {
	all, err := p.calls(ctx)
	if err != nil || p.round.processes.wasClosed(all.session) {
		return err // the server allows one process at a time
	}
	confirmed := 0
	for _, o := range backward {
		forward, err := p.inOrder(ctx, all.session, o, false)
		if err != nil {
			return err
		}
		if forward.differs(o) < 0 {
			continue
		}
		if confirmed++; confirmed > maxConfirmed {
			return nil
		}
		if err := p.confirmOrder(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// inOrder makes the calls, in the opposite order if backward is set.
func (p *CheckContext) inOrder(ctx context.Context, s *mcp.Session, o orderedCalls, backward bool) (orderedCalls, error) {
	o.seen = make([]*mcp.Exchange, len(o.calls))
	for n := range o.calls {
		i := n
		if backward {
			i = len(o.calls) - 1 - n
		}
		ex, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", o.Name, "arguments", o.calls[i]))
		if err != nil {
			return o, err
		}
		o.seen[i] = ex
	}
	return o, nil
}

// differs returns the index of the first call that has another result; -1 if there is none.
func (o orderedCalls) differs(other orderedCalls) int {
	for i, ex := range o.seen {
		if !sameView(ex, other.seen[i]) {
			return i
		}
	}
	return -1
}

// confirmOrder makes the calls in new processes, twice in each order. It reports the tool if equal orders have equal
// results, and different orders have not.
func (p *CheckContext) confirmOrder(ctx context.Context, o orderedCalls) error {
	var runs [4]orderedCalls
	for i := range runs {
		s, err := p.Open(ctx, nil)
		if err != nil {
			return err
		}
		if runs[i], err = p.inOrder(ctx, s, o, i%2 == 1); err != nil {
			return err
		}
	}
	forward, backward := runs[0], runs[1]
	at := forward.differs(backward)
	if at < 0 || forward.differs(runs[2]) >= 0 || backward.differs(runs[3]) >= 0 ||
		mentionsCache(forward.seen) || mentionsCache(backward.seen) {
		return nil
	}
	p.onceAs(historySeverity(o.Tool, forward.seen[at], backward.seen[at]), Evidence{Subject: o.Name, Exchange: backward.seen[at], Led: true},
		"the same call with %s, after calls with other values: expected the same result, got one that depends on them",
		show(o.calls[at]))
	return nil
}
