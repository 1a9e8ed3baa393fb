package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of the calls that should report progress more than once.
const (
	maxLonger      = 3 // tools
	maxLongerCalls = 2 // of a tool
	longerCount    = 3 // the number, or the length of a list, that is tried
)

// longerCalls repeats calls that reported progress once, with larger numbers and longer lists, and returns those that
// then reported it more than once: one notification cannot be compared with another.
func (p *CheckContext) longerCalls(ctx context.Context, some []CallResult) ([]CallResult, error) {
	return remember(ctx, p, "longer calls", func() ([]CallResult, error) {
		var longer []CallResult
		tools := 0
		for _, c := range some {
			if len(progressOf(c)) != 1 || tools == maxLonger || p.round.limited(c.Name) || causedRequest(c) ||
				p.isSlow(c.Exchange.Elapsed) {
				continue
			}
			tools++
			all, err := p.openCalls(ctx)
			if err != nil {
				return nil, err
			}
			for _, arguments := range longerArguments(c.Tool) {
				t := c.Tool
				t.Arguments = arguments
				ex, err := callWithProgress(ctx, all.session, t, p.Timeout())
				if err != nil || ex.Reply == nil {
					break // it was only slow, or other checks report it
				}
				if one := (CallResult{t, ex}); len(progressOf(one)) > 1 {
					longer = append(longer, one)
					break
				}
			}
		}
		return longer, nil
	})
}

// longerArguments returns valid arguments that should make a call do more: with one list longer, or one number larger.
func longerArguments(t Tool) []json.RawMessage {
	members, _ := schema.Members(t.Arguments)
	var all []json.RawMessage
	for _, kind := range []byte{'[', '0'} {
		for _, m := range members {
			value := longerList(m.Value)
			if kind == '0' {
				value = largerNumber(m.Value)
			}
			if value == "" || len(all) == maxLongerCalls {
				continue
			}
			if changed := withArgument(t, t.Arguments, m.Name, value); !equalJSON(changed, t.Arguments) {
				all = append(all, changed)
			}
		}
	}
	return all
}

// longerList returns a list with its items repeated; empty if it is none, has none, or is long.
func longerList(value json.RawMessage) string {
	items, err := schema.Elements(value)
	if err != nil || schema.Kind(value) != '[' || len(items) == 0 || len(items) >= longerCount {
		return ""
	}
	var texts []string
	for _, item := range slices.Repeat(items, longerCount) {
		texts = append(texts, string(item))
	}
	return "[" + strings.Join(texts[:longerCount], ",") + "]"
}

// largerNumber returns a number larger than a small one; empty if it is none.
func largerNumber(value json.RawMessage) string {
	var n float64
	if schema.Kind(value) != '0' || json.Unmarshal(value, &n) != nil || n < 0 || n >= longerCount {
		return ""
	}
	return "3"
}
