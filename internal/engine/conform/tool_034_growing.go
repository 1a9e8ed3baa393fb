package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// growingCalls is how often a tool is called to see whether its result grows.
const growingCalls = 4

var tool034 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-034",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `read-only or idempotent tool should not return more each time

The same call was made several times, and each result has as many more lines or items than the one before. So each call
stores something, although readOnlyHint or idempotentHint says that a repeated call has no effect. Hosts repeat such calls after a
timeout. Remove the hint, or do not store anything.`,
	},
	Since:   spec.March2025,
	Needs:   "tools",
	Scratch: true,
	Alone:   true, // calls of other checks would change what it observes
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		done = slices.DeleteFunc(done,
			func(c CallResult) bool { return !promisesNoEffect(c.Tool) || c.Failed() || causedRequest(c) })
		for _, c := range done[:min(len(done), maxObserved)] {
			last, err := p.grows(ctx, s, c.Tool)
			if err != nil {
				return err
			}
			if last != nil {
				p.once(Evidence{Subject: c.Name, Exchange: last, Led: true},
					"%d equal calls: expected the same result, got more items or lines each time", growingCalls)
			}
		}
		return nil
	},
}

// promisesNoEffect reports whether a repeated call of a tool has no effect by its own word.
func promisesNoEffect(t Tool) bool {
	return string(At(t.Definition, "/annotations/readOnlyHint")) == "true" ||
		string(At(t.Definition, "/annotations/idempotentHint")) == "true"
}

// grows returns the last of some equal calls if each result has more than the one before; else nil.
func (p *CheckContext) grows(ctx context.Context, s *mcp.Session, t Tool) (*mcp.Exchange, error) {
	var before, steps extent
	var last *mcp.Exchange
	for n := range growingCalls {
		ex, err := p.observe(ctx, s, t.observer())
		if err != nil || ex.Reply.Error != nil {
			return nil, err
		}
		now := extentOf(ex.Reply.Result)
		if n > 0 {
			if steps = now.growth(before, steps); len(steps) == 0 {
				return nil, nil
			}
		}
		before, last = now, ex
	}
	return last, nil
}

// An extent is how much a result has: the length of each list in it and of its text, by place.
type extent map[string]int

func extentOf(result json.RawMessage) extent {
	e := extent{}
	text := textsOf(result)
	e["lines"] = strings.Count(text, "\n")
	e["commas"] = strings.Count(text, ",")
	e.add("", At(result, "/structuredContent"), 0)
	if trimmed := strings.TrimSpace(text); json.Valid([]byte(trimmed)) {
		e.add("text", json.RawMessage(trimmed), 0)
	}
	return e
}

func (e extent) add(at string, raw json.RawMessage, depth int) {
	if depth > maxExtentDepth {
		return
	}
	switch schema.Kind(raw) {
	case '[':
		items, _ := schema.Elements(raw)
		e[at+"/"] = len(items)
	case '{':
		members, _ := schema.Members(raw)
		for _, m := range members {
			e.add(at+"/"+schema.Token(m.Name), m.Value, depth+1)
		}
	}
}

const maxExtentDepth = 3

// growth is by how much each place has more than before, without those that grow by another amount than last time.
func (e extent) growth(before, last extent) extent {
	steps := extent{}
	for at, size := range e {
		was, known := before[at]
		if step := size - was; known && step > 0 && (last == nil || last[at] == step) {
			steps[at] = step
		}
	}
	return steps
}
