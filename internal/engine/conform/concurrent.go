package conform

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of concurrent calls.
const (
	repeats    = 3 // how often all calls are made concurrently
	otherSeeds = 3 // samples that are tried to find other arguments
)

// A steadyCall is a call that returned the same result twice.
type steadyCall struct {
	tool      string
	arguments json.RawMessage
	result    json.RawMessage
}

// steady makes calls one after the other and returns those whose result does not change: each tool with its sample and
// with other arguments.
func (p *Pass) steady(ctx context.Context, s *mcp.Session, tools []Tool) ([]steadyCall, error) {
	var all []steadyCall
	for _, t := range tools {
		for _, arguments := range twoSamples(t) {
			var results []json.RawMessage
			for range 2 {
				ex, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
				if err != nil {
					return nil, err
				}
				if ex.Reply.Error == nil && string(At(ex.Reply.Result, "/isError")) != "true" {
					results = append(results, ex.Reply.Result)
				}
			}
			if len(results) == 2 && sameResult(results[0], results[1]) {
				all = append(all, steadyCall{t.Name, arguments, results[0]})
			}
		}
	}
	if len(all) == 0 {
		return nil, p.Skip("no callable tool returns the same result twice")
	}
	return all, nil
}

// twoSamples returns the sample arguments of a tool, and different ones if its schema allows them.
func twoSamples(t Tool) []json.RawMessage {
	all := []json.RawMessage{t.Arguments}
	for seed := range uint64(otherSeeds) {
		other, err := schema.Sample(At(t.Definition, "/inputSchema"), &schema.SampleOptions{Seed: seed + 11, AllProperties: seed == 1, Style: schema.Typical})
		if err == nil && !equalJSON(other, t.Arguments) {
			return append(all, other)
		}
	}
	return append(all, otherText(t)...)
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
func (p *Pass) callTogether(ctx context.Context, s *mcp.Session, calls []steadyCall) {
	all := make([]steadyCall, 0, repeats*len(calls))
	for range repeats {
		all = append(all, calls...)
	}
	replies, errs := make([]*mcp.Exchange, len(all)), make([]error, len(all))
	var group sync.WaitGroup
	for i, c := range all {
		group.Go(func() {
			replies[i], errs[i] = p.CallIn(ctx, s, "tools/call", mcp.Object("name", c.tool, "arguments", c.arguments))
		})
	}
	group.Wait()
	for i, c := range all {
		seen := Seen{Subject: c.tool, Exchange: replies[i], Led: true}
		if errs[i] != nil {
			seen.Exchange = nil
			p.once(seen, "1 of %d concurrent calls got no response: expected a result, got %s", len(all), clip.Text(errs[i].Error(), 160))
			continue
		}
		result := replies[i].Reply.Result
		switch other := slices.IndexFunc(calls, func(o steadyCall) bool { return sameResult(o.result, result) }); {
		case replies[i].Reply.Error != nil || string(At(result, "/isError")) == "true":
			p.once(seen, "1 of %d concurrent calls failed: expected the same result as alone, got %s", len(all), outcomeOf(replies[i]))
		case !sameResult(c.result, result) && other >= 0:
			p.once(seen, "1 of %d concurrent calls: expected the same result as alone, got the result of another call", len(all))
		}
	}
}

// sameResult reports whether two results are equal, ignoring their metadata.
func sameResult(a, b json.RawMessage) bool {
	for _, key := range []string{"/content", "/structuredContent"} {
		x, y := At(a, key), At(b, key)
		if (x == nil) != (y == nil) || x != nil && !equalJSON(x, y) {
			return false
		}
	}
	return true
}
