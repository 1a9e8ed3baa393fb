package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool042 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-042",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `result of a read-only tool should not depend on earlier calls

The same call returned another result after other calls of the tool, and did so again in a new process, so neither time nor
chance is the cause. Typical bugs: a list that is consumed by the first call, a cache that ignores one of the arguments, a
shared list that a call sorts, reverses or shortens, a regular expression with the g flag that keeps its position. Keep
state out of read-only tools, or remove readOnlyHint. The finding is a note if the description mentions a cache or earlier calls, or
if only a mark such as MISS and HIT differs.`,
	},
	Since:   spec.March2025,
	Needs:   "tools",
	On:      OnPipe, // a new connection is a new process there
	Scratch: true,
	Alone:   true, // calls of other checks would change what it observes
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		done = slices.DeleteFunc(done, func(c CallResult) bool {
			return string(At(c.Definition, "/annotations/readOnlyHint")) != "true" || c.Failed() || causedRequest(c)
		})
		if len(done) == 0 {
			return p.Skip("no read-only tool that may be called answered at once")
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		backward, err := p.backward(ctx, s, done[:min(len(done), maxObserved)])
		if err != nil {
			return err
		}
		confirmed := 0
		reported := map[string]bool{}
		for _, c := range done[:min(len(done), maxObserved)] {
			calls := alternating(c.Tool)
			seen, err := p.sequence(ctx, s, calls)
			if err != nil {
				return err
			}
			if calls.differ(c.Exchange, seen) == nil && !calls.repeats(c, seen) {
				continue
			}
			if confirmed++; confirmed > maxConfirmed {
				break
			}
			found := len(p.findings)
			if err := p.confirmHistory(ctx, c, calls); err != nil {
				return err
			}
			reported[c.Name] = len(p.findings) > found
		}
		return p.inAnyOrder(ctx, slices.DeleteFunc(backward,
			func(o orderedCalls) bool { return reported[o.Name] }))
	},
}

// maxConfirmed is how many tools are called in new processes: each takes several.
const maxConfirmed = 3

// historyCalls are the calls of one tool in a session, one after the other.
type historyCalls struct {
	params []json.RawMessage
	own    []int // those with the sample arguments
	other  []int // those with other arguments
}

// alternating calls a tool with its sample arguments after other arguments, and both again.
func alternating(t Tool) historyCalls {
	samples := twoSamples(t)
	call := func(arguments json.RawMessage) json.RawMessage {
		return mcp.Object("name", t.Name, "arguments", arguments)
	}
	var all historyCalls
	if len(samples) > 1 {
		all.other = []int{0, equalCalls + 1}
		all.params = append(all.params, call(samples[1]))
	}
	for range equalCalls {
		all.own = append(all.own, len(all.params))
		all.params = append(all.params, call(samples[0]))
	}
	if len(samples) > 1 {
		all.params = append(all.params, call(samples[1]))
	}
	return all
}

// equalCalls is how often the sample call is repeated: some state shows only after a few calls.
const equalCalls = 5

// differ returns the first call whose result differs from that of an equal call; nil if there is none. first is the
// sample call as the first one of a process.
func (h historyCalls) differ(first *mcp.Exchange, seen []*mcp.Exchange) *mcp.Exchange {
	for _, i := range h.own {
		if !sameView(first, seen[i]) {
			return seen[i]
		}
	}
	if len(h.other) == 2 && !sameView(seen[h.other[0]], seen[h.other[1]]) {
		return seen[h.other[1]]
	}
	return nil
}

// repeats reports whether other arguments have the same result, which contains a text of the sample arguments: an
// earlier call may have stored it.
func (h historyCalls) repeats(c CallResult, seen []*mcp.Exchange) bool {
	return len(h.other) == 2 && echoed(c) != "" && sameView(seen[h.other[0]], seen[h.own[0]])
}

// sequence makes calls one after the other in a session.
func (p *CheckContext) sequence(ctx context.Context, s *mcp.Session, calls historyCalls) ([]*mcp.Exchange, error) {
	var all []*mcp.Exchange
	for _, params := range calls.params {
		ex, err := p.CallIn(ctx, s, "tools/call", params)
		if err != nil {
			return nil, err
		}
		all = append(all, ex)
	}
	return all, nil
}

// confirmHistory makes the calls of a tool in new processes. It reports the tool if the first call of a process always
// returns the same, and the calls after it always return the same, but not that.
func (p *CheckContext) confirmHistory(ctx context.Context, c CallResult, calls historyCalls) error {
	alone := historyCalls{params: []json.RawMessage{mcp.Object("name", c.Name, "arguments", c.Arguments)}}
	var runs [3][]*mcp.Exchange
	for i, sequence := range []historyCalls{alone, calls, calls} {
		s, err := p.Open(ctx, nil)
		if err != nil {
			return err
		}
		if runs[i], err = p.sequence(ctx, s, sequence); err != nil {
			return err
		}
	}
	again := func(a, b []*mcp.Exchange) bool { return slices.EqualFunc(a, b, sameView) }
	found := calls.differ(runs[0][0], runs[1])
	if found == nil || !sameView(c.Exchange, runs[0][0]) || !again(runs[1], runs[2]) || mentionsCache(runs[1]) {
		return nil
	}
	p.onceAs(historySeverity(c.Tool, runs[0][0], found), Evidence{Subject: c.Name, Exchange: found, Led: true},
		"the same call after other calls of this tool: expected the result of the first call, got another one")
	return nil
}

// mentionsCache reports whether a result says that it was stored: such a remark differs rightly.
func mentionsCache(all []*mcp.Exchange) bool {
	return slices.ContainsFunc(all, func(ex *mcp.Exchange) bool {
		return strings.Contains(strings.ToLower(string(ex.Reply.Result)), "cache")
	})
}
