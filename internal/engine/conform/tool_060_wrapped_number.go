package conform

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool060 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-060",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `number in a result should not wrap at 32 bits

A read-only tool was called with three small integers, and a number in its result grew by the same step each time. With the
largest integer that the schema allows, the number is what remains in 32 bits of the expected one: a total becomes negative, or
too small. A model reports it as it is.

Calculate with 64 bits, or set a lower maximum in the schema.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			if tried == maxReads || c.Result() == nil || c.Failed() || causedRequest(c) ||
				!safety.Reads(c.Definition) {
				continue
			}
			names := countArguments(c.Tool)
			if len(names) == 0 {
				continue
			}
			tried++
			for _, name := range names[:min(len(names), maxCounts)] {
				if err := p.multiplies(ctx, c.Tool, name); err != nil {
					return err
				}
			}
		}
		if tried == 0 {
			return p.Skip("no called read-only tool takes a large integer")
		}
		return nil
	},
}

// maxCounts is how many arguments of a tool are tried.
const maxCounts = 3

// amounts matches the names of arguments that say how much a tool does or returns: a correct server would take long.
var amounts = lazyregexp.New(`^(?:\w+_)?(?:n|count|length|size|limit|times|repeat\w*|iterations|steps|loops?|seconds|secs|ms|millis\w*|minutes|` +
	`delay|duration|timeout|wait|depth|page|offset|bytes|lines|rows|items|results)$|^(?:max|num|number_of)_`)

// countArguments lists the arguments of a tool that may be small and large integers.
func countArguments(t Tool) []string {
	var names []string
	for _, m := range declaredArguments(t.Definition) {
		if schema.TextAt(m.Value, "/type") == "integer" && !amounts().MatchString(schema.Snake(m.Name)) && takes(m.Value, "1") && takes(m.Value, "3") && largest(m.Value) > math.MaxUint16 {
			names = append(names, m.Name)
		}
	}
	return names
}

// largest is the largest integer that an argument may be, within 31 bits.
func largest(property json.RawMessage) int64 {
	if most, err := strconv.ParseInt(string(At(property, "/maximum")), 10, 64); err == nil && most <= math.MaxInt32 {
		return most
	}
	if takes(property, strconv.Itoa(math.MaxInt32)) {
		return math.MaxInt32
	}
	return 0
}

// multiplies calls a tool with small integers and a large one, and reports a number that wraps.
func (p *CheckContext) multiplies(ctx context.Context, t Tool, name string) error {
	most := largest(declaredArgument(t.Definition, name))
	for _, base := range slices.DeleteFunc([]json.RawMessage{t.Arguments, t.Other}, func(a json.RawMessage) bool { return a == nil }) {
		var small [3]map[string]int64
		for i := range small {
			ex, numbers, err := p.numbers(ctx, t, base, name, int64(i+1))
			if err != nil || ex == nil {
				return err
			}
			small[i] = numbers
		}
		steps := map[string]int64{}
		for path, first := range small[0] {
			second, isSecond := small[1][path]
			third, isThird := small[2][path]
			if step := second - first; isSecond && isThird && step != 0 && third-second == step && step > -math.MaxInt32 && step < math.MaxInt32 {
				steps[path] = step
			}
		}
		if len(steps) == 0 {
			continue
		}
		ex, large, err := p.numbers(ctx, t, base, name, most)
		if err != nil || ex == nil {
			return err
		}
		for _, path := range slices.Sorted(maps.Keys(steps)) {
			step := steps[path]
			expected := small[0][path] + step*(most-1)
			got, isThere := large[path]
			if isThere && got != expected && uint32(got) == uint32(expected) && got >= math.MinInt32 && got <= math.MaxUint32 {
				p.once(Evidence{Subject: t.Name, Exchange: ex, Led: true}, "%s is %d: expected %d for %s, in proportion to small values, got %d, "+
					"which is what remains of it in 32 bits", name, most, expected, path, got)
				return nil
			}
		}
	}
	return nil
}

// numbers calls a tool with an integer and returns the integers of its result by their place; no exchange if the call failed.
func (p *CheckContext) numbers(ctx context.Context, t Tool, base json.RawMessage, name string, n int64) (*mcp.Exchange, map[string]int64, error) {
	value := strconv.FormatInt(n, 10)
	arguments := withArgument(t, base, name, value)
	if !hasArgument(arguments, name, value) {
		return nil, nil, nil // the schema forbids it together with the others
	}
	ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
	if err != nil {
		return nil, nil, err
	}
	if c := (CallResult{t, ex}); c.Result() == nil || c.Failed() {
		return nil, nil, nil
	}
	all := map[string]int64{}
	eachNumber(valueOf(ex.Reply.Result), func(path string, number json.Number) {
		if n, err := number.Int64(); err == nil {
			all[path] = n
		}
	})
	return ex, all, nil
}
