package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Limits of concurrent calls.
const (
	maxConcurrentTools = 8 // tools that are called
	repeats            = 3 // how often all calls are made concurrently
	otherSeeds         = 3 // samples that are tried to find other arguments
)

// A steadyCall is a call that returns the same result each time.
type steadyCall struct {
	tool      string
	arguments json.RawMessage
	result    json.RawMessage
}

// steady makes calls one after the other and returns those whose result does not change, also after all other calls:
// each tool with its sample and with other arguments.
func (p *CheckContext) steady(ctx context.Context, s *mcp.Session, tools []Tool) ([]steadyCall, error) {
	var all []steadyCall
	for _, t := range tools {
		if exposure.DependsOnChance(t.Name, schema.TextAt(t.Definition, "/description")) {
			continue
		}
		for _, arguments := range append(twoSamples(t), otherChoice(t)...) {
			all = append(all, steadyCall{tool: t.Name, arguments: arguments})
		}
	}
	for range 2 {
		var same []steadyCall
		for _, c := range all {
			ex, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", c.tool, "arguments", c.arguments))
			if err != nil {
				return nil, err
			}
			if ex.Reply.Error == nil && string(At(ex.Reply.Result, "/isError")) != "true" &&
				(c.result == nil || sameResult(c.result, ex.Reply.Result)) {
				c.result = ex.Reply.Result
				same = append(same, c)
			}
		}
		all = same
	}
	if len(all) == 0 {
		return nil, p.Skip("no callable tool returns the same result twice")
	}
	return all, nil
}

// mostTelling sorts tools: first those whose result contains an argument, then others with arguments. A swapped result of
// a tool without arguments looks like its own.
func (p *CheckContext) mostTelling(ctx context.Context, tools []Tool) []Tool {
	rank := map[string]int{}
	done, _ := p.Called(ctx)
	for _, c := range done {
		members, _ := schema.Members(c.Arguments)
		switch {
		case echoed(c) != "":
			rank[c.Name] = 0
		case len(members) > 0:
			rank[c.Name] = 1
		default:
			rank[c.Name] = 2
		}
	}
	return slices.SortedStableFunc(slices.Values(tools), func(a, b Tool) int { return rank[a.Name] - rank[b.Name] })
}

// distinguishable reports whether calls have different results.
func distinguishable(calls []steadyCall) bool {
	return slices.ContainsFunc(calls, func(c steadyCall) bool { return !sameResult(c.result, calls[0].result) })
}

// twoSamples returns the sample arguments of a tool, and different ones if its schema allows them: those that are known to work, if there
// are any.
func twoSamples(t Tool) []json.RawMessage {
	all := []json.RawMessage{t.Arguments}
	if t.Other != nil {
		return append(all, t.Other)
	}
	for seed := range uint64(otherSeeds) {
		other, err := schema.Sample(At(t.Definition, "/inputSchema"),
			&schema.SampleOptions{Seed: seed + 11, AllProperties: seed == 1, Style: schema.Typical})
		if err == nil && !equalJSON(other, t.Arguments) {
			return append(all, other)
		}
	}
	return append(all, otherText(t)...)
}

// maxChoices is how many arguments of a tool get another value of their list, one at a time.
const maxChoices = 2

// otherChoice returns the sample arguments with another value of a list of values, one argument at a time: calls that are joined by
// their other arguments get the same result.
func otherChoice(t Tool) (all []json.RawMessage) {
	members, _ := schema.Members(t.Arguments)
	for _, m := range members {
		values, _ := schema.Elements(At(declaredArgument(t.Definition, m.Name), "/enum"))
		if len(members) == 1 || len(values) < 2 || len(all) == maxChoices {
			continue
		}
		other := values[0]
		if equalJSON(other, m.Value) {
			other = values[1]
		}
		if arguments := withArgument(t, t.Arguments, m.Name, string(other)); hasArgument(arguments, m.Name, string(other)) {
			all = append(all, arguments)
		}
	}
	return all
}

// otherText returns the sample arguments with another value for the first string.
func otherText(t Tool) []json.RawMessage {
	compiled, err := schema.Compile(At(t.Definition, "/inputSchema"), nil)
	if err != nil {
		return nil
	}
	members, _ := schema.Members(t.Arguments)
	for _, m := range members {
		value := json.RawMessage(`"mcptest other"`)
		if schema.Kind(m.Value) == '0' {
			value = json.RawMessage("2")
		}
		changed, err := schema.Apply(t.Arguments, []finding.Edit{{Pointer: "/" + schema.Token(m.Name), Value: value}})
		if err == nil && len(compiled.Validate(changed)) == 0 && !equalJSON(changed, t.Arguments) {
			return []json.RawMessage{changed}
		}
	}
	return nil
}

// callTogether makes steady calls concurrently and reports those whose outcome differs from the sequential one.
func (p *CheckContext) callTogether(ctx context.Context, s *mcp.Session, calls []steadyCall) {
	stays := map[string]bool{}
	staysSame := func(c steadyCall) bool {
		key := c.tool + string(c.arguments)
		if _, known := stays[key]; !known {
			stays[key] = p.staysSame(ctx, s, c)
		}
		return stays[key]
	}
	for _, c := range p.concurrent(ctx, s, calls) {
		seen := Evidence{Subject: c.tool, Exchange: c.reply, Led: true}
		const count = "1 of %d concurrent calls"
		switch all := repeats * len(calls); {
		case c.err != nil:
			p.once(seen, count+" got no response: expected a result, got %s", all, clip.Text(wire.Reason(c.err), 160))
		case c.failed():
			p.once(seen, count+" failed: expected the same result as alone, got %s", all, outcomeOf(c.reply))
		case c.sameAsAlone():
		case slices.ContainsFunc(calls, func(o steadyCall) bool { return sameResult(o.result, c.reply.Reply.Result) }):
			if !staysSame(c.steadyCall) {
				continue
			}
			p.once(seen, count+": expected the same result as alone, got the result of another call", all)
		case staysSame(c.steadyCall) && p.mixed(ctx, s, calls, c.steadyCall):
			p.onceAs(finding.Warning, seen, count+": expected the same result as alone, got %s", all,
				clip.Text(textsOf(c.reply.Reply.Result), 160))
		}
	}
}

// A concurrentCall is the outcome of a steady call that was made at the same time as others.
type concurrentCall struct {
	steadyCall
	reply *mcp.Exchange
	err   error // there was no response
}

func (c concurrentCall) failed() bool {
	return c.reply.Reply.Error != nil || calls.IsError(c.reply.Reply.Result)
}

func (c concurrentCall) sameAsAlone() bool { return sameResult(c.result, c.reply.Reply.Result) }

// concurrent makes steady calls several times, all at once.
func (p *CheckContext) concurrent(ctx context.Context, s *mcp.Session, calls []steadyCall) []concurrentCall {
	var all []concurrentCall
	for range repeats {
		for _, c := range calls {
			all = append(all, concurrentCall{steadyCall: c})
		}
	}
	var group sync.WaitGroup
	for i := range all {
		c := &all[i]
		group.Go(func() {
			c.reply, c.err = p.CallIn(ctx, s, "tools/call", mcp.Object("name", c.tool, "arguments", c.arguments))
		})
	}
	group.Wait()
	return all
}

// mixed reports whether a call has another result when the calls are made concurrently again, and still the same one alone. A
// result that changes with time is no fault.
func (p *CheckContext) mixed(ctx context.Context, s *mcp.Session, calls []steadyCall, c steadyCall) bool {
	differs := slices.ContainsFunc(p.concurrent(ctx, s, calls), func(o concurrentCall) bool {
		return o.tool == c.tool && o.err == nil && !o.failed() && !o.sameAsAlone()
	})
	return differs && p.staysSame(ctx, s, c)
}

// staysSame reports whether a call alone has the same result many times: that of a tool that rolls dice is the same
// twice by chance.
func (p *CheckContext) staysSame(ctx context.Context, s *mcp.Session, c steadyCall) bool {
	for range chanceCalls {
		ex, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", c.tool, "arguments", c.arguments))
		if err != nil || ex.Reply.Error != nil || !sameResult(c.result, ex.Reply.Result) {
			return false
		}
	}
	return true
}

// chanceCalls is how often a result has to be the same before chance is excluded.
const chanceCalls = 12

// durations matches the member of a result with how long the call took, also in JSON inside a text.
var durations = lazyregexp.New(`\\*"\w*(?:(?i)duration|elapsed|took|latency|request_time|response_time|execution_time)\w*\\*"\s*:\s*[\d.]+`)

// sameResult reports whether two results are equal, ignoring their metadata and how long the calls took.
func sameResult(a, b json.RawMessage) bool {
	for _, key := range []string{"/content", "/structuredContent"} {
		x, y := At(a, key), At(b, key)
		if (x == nil) != (y == nil) || x != nil && !equalJSON(x, y) &&
			!bytes.Equal(durations().ReplaceAll(x, nil), durations().ReplaceAll(y, nil)) {
			return false
		}
	}
	return true
}
