package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Calls that show whether updates are lost.
const (
	sequentialCalls = 3 // the number in their results has to grow by 1 each
	parallelCalls   = 5
)

var tool055 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-055",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#responses"),
		Doc: `concurrent calls should not lose updates

A number in the result of a tool, such as a count or an ID, grows by 1 with each call. Concurrent calls returned the same
number several times, and a later call shows that fewer updates were stored than calls were made. It happened twice. Hosts
call tools in parallel. Typical cause: the tool reads a value, waits, and writes it back; use a lock or an atomic update.
Only tools that write and may be called are checked: name them with --tools or --allow.`,
	},
	Needs:      "tools",
	Disruptive: true,
	Scratch:    true,
	Alone:      true, // calls of other checks would change the numbers
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.working(ctx)
		if err != nil {
			return err
		}
		tools = slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
			return string(At(t.Definition, "/annotations/readOnlyHint")) == "true"
		})
		if len(tools) == 0 {
			return p.Skip("no tool that writes may be called and returned a result immediately")
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools[:min(len(tools), maxConcurrentTools)] {
			first, err := p.loseUpdates(ctx, s, t, "")
			if err != nil {
				return err
			}
			if first == nil {
				continue
			}
			again, err := p.loseUpdates(ctx, s, t, first.place)
			if err != nil {
				return err
			}
			if again != nil && again.start == first.end+1 {
				p.once(Evidence{Subject: t.Name, Exchange: again.last, Led: true},
					"%d concurrent calls: expected %d different numbers and %d in the result of the next call, got %s and %d",
					parallelCalls, parallelCalls, again.start+sequentialCalls+parallelCalls, joined(again.got), again.end)
			}
		}
		return nil
	},
}

// lostUpdates are numbers in results which show that updates were lost.
type lostUpdates struct {
	place string // of the number in the result
	start int    // the number before the concurrent calls were made
	got   []int  // the numbers in the results of the concurrent calls
	end   int    // the number after them
	last  *mcp.Exchange
}

// loseUpdates makes calls one after the other, then several at once, then one more. It returns nil unless a number, at
// the place if it is not empty, grows by 1 each time and updates were lost.
func (p *CheckContext) loseUpdates(ctx context.Context, s *mcp.Session, t Tool, place string) (*lostUpdates, error) {
	call := func() (map[string]int, *mcp.Exchange, error) {
		ex, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
		if err != nil {
			return nil, nil, err
		}
		if c := (CallResult{t, ex}); c.Result() == nil || c.Failed() {
			return nil, ex, nil
		}
		return numbersIn(ex.Reply.Result), ex, nil
	}
	first, _, err := call()
	if err != nil {
		return nil, err
	}
	for n := 1; n < sequentialCalls; n++ {
		next, _, err := call()
		if err != nil {
			return nil, err
		}
		for at, value := range first {
			if grown, ok := next[at]; !ok || grown != value+n || place != "" && at != place {
				delete(first, at)
			}
		}
	}
	if len(first) == 0 {
		return nil, nil
	}
	var all [parallelCalls]map[string]int
	var errs [parallelCalls]error
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i], _, errs[i] = call() })
	}
	group.Wait()
	after, last, err := call()
	if err != nil || slices.ContainsFunc(errs[:], func(err error) bool { return err != nil }) {
		return nil, err // RPC-023 reports calls without a response
	}
	for at, start := range first {
		var got []int
		for _, numbers := range all {
			if n, ok := numbers[at]; ok {
				got = append(got, n)
			}
		}
		slices.Sort(got)
		end, ok := after[at]
		twins := len(slices.Compact(slices.Clone(got))) < len(got)
		if ok && len(got) == parallelCalls && twins && end >= start && end < start+sequentialCalls+parallelCalls {
			return &lostUpdates{at, start, got, end, last}, nil
		}
	}
	return nil, nil
}

// integers matches whole numbers in a text.
var integers = lazyregexp.New(`\b\d{1,15}\b`)

// numbersIn returns the whole numbers in a result by their places: in structured content or JSON, or in a text or list whose
// words are part of the place.
func numbersIn(result json.RawMessage) map[string]int {
	all := map[string]int{}
	value := valueOf(result)
	if kind := schema.Kind(value); json.Valid(value) && (kind == '{' || kind == '0') {
		collectNumbers(all, value, "", maxExtentDepth)
		return all
	}
	text := string(value)
	words := integers().ReplaceAllString(text, "#")
	for i, number := range integers().FindAllString(text, -1) {
		if n, err := strconv.Atoi(number); err == nil {
			all[fmt.Sprintf("%d of %s", i, words)] = n
		}
	}
	return all
}

func collectNumbers(all map[string]int, value json.RawMessage, at string, depth int) {
	if n, err := strconv.Atoi(string(value)); err == nil && n >= 0 {
		all[at] = n
	}
	members, _ := schema.Members(value)
	for _, m := range members {
		if depth > 0 {
			collectNumbers(all, m.Value, at+"/"+schema.Token(m.Name), depth-1)
		}
	}
}

// joined lists numbers in a message.
func joined(numbers []int) string {
	var all []string
	for _, n := range numbers {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, ", ")
}
