package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"math/bits"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var defaultRule = finding.Rule{ID: "FUZZ-019", Severity: finding.Warning,
	Doc: `omitted argument has another effect than its default

The schema states a default for an argument, and a read-only tool returned another result without the argument than with
the default. Both calls were repeated many times in turn and returned the same each time. A model that reads the schema expects what it does not
get. Change the default in the schema or in the code.`}

// defaults are the optional arguments of a tool that have a default.
type defaults struct {
	members  []schema.Member
	compared int  // cases that were compared
	unsteady bool // a repeated call returned another result
}

// maxDefaults is how many cases of a tool are compared with and without defaults: each costs two calls and more.
const maxDefaults = 10

func defaultsOf(input json.RawMessage) defaults {
	var all defaults
	properties, _ := schema.Get(input, "/properties")
	members, _ := schema.Members(properties)
	for _, m := range members {
		if value, ok := schema.Get(m.Value, "/default"); ok && !isEmptyDefault(value) {
			all.members = append(all.members, schema.Member{Name: m.Name, Value: value})
		}
	}
	return all
}

// isEmptyDefault reports whether a default is what code generators write for "none".
func isEmptyDefault(value json.RawMessage) bool {
	text := string(bytes.TrimSpace(value))
	return text == "null" || text == `""` || text == "{}" || text == "[]"
}

// otherThanDefault compares the result of a read-only tool without its optional arguments with the result with their
// defaults, one argument at a time.
func (r *runner) otherThanDefault(ctx context.Context, t *fuzzTarget, step Step, s *observation) *violation {
	d := &t.defaults
	if len(d.members) == 0 || d.unsteady || d.compared >= maxDefaults || !t.readOnly || t.most > 0 || !step.Allowed || step.Cancel ||
		!accepted(s) {
		return nil
	}
	d.compared++
	for _, m := range d.members {
		if r.yields(t) || d.unsteady {
			break
		}
		without, ok := t.variant(step.Case, schema.Member{Name: m.Name})
		with, both := t.variant(step.Case, m)
		if !ok || !both {
			continue
		}
		results := r.steadyResults(ctx, t, without, with)
		if len(results) == 2 && !bytes.Equal(results[0], results[1]) {
			expected, got := clip.Differences(words.Shown(results[1]), words.Shown(results[0]))
			return &violation{cause: m.Name, message: "without " + m.Name + ": expected the result with its default " +
				clip.Sized(string(m.Value), maxDisplayed) + ", " + expected + ", got " + got}
		}
	}
	return nil
}

// variant is a case with a member of the arguments set, or removed if it has no value. It reports whether the schema
// allows it.
func (t *fuzzTarget) variant(c cases.Case, change schema.Member) (cases.Case, bool) {
	members, err := schema.Members(c.Arguments)
	if err != nil {
		return c, false
	}
	out := []byte{'{'}
	write := func(m schema.Member) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(rawjson.AppendQuote(out, m.Name), ':'), m.Value...)
	}
	for _, m := range members {
		if m.Name != change.Name {
			write(m)
		}
	}
	if change.Value != nil {
		write(change)
	}
	next := cases.Case{Tool: c.Tool, Arguments: append(out, '}'), Kind: c.Kind}
	t.gen.Validate(&next)
	return next, next.Allowed
}

// steadyRounds is how often calls are repeated before their results are compared: a coin has the same result in each round in one
// of 16,000 cases.
const steadyRounds = 8

// steadyResults are what two calls return, each of which returns the same whenever it is repeated in turn with the other; nil
// if one does not. The order of the two changes, so that a tool with alternating results does not follow it.
func (r *runner) steadyResults(ctx context.Context, t *fuzzTarget, without, with cases.Case) []json.RawMessage {
	both, results := [2]cases.Case{without, with}, make([]json.RawMessage, 2)
	for call := range 2 * steadyRounds {
		i := (call + bits.OnesCount(uint(call/2))) % 2
		s := r.send(ctx, t, Step{Case: both[i]}, nil)
		if !s.responded() || !accepted(s) {
			return nil
		}
		content, _ := schema.Get(s.Exchange.Reply.Result, "/content")
		if results[i] != nil && !bytes.Equal(results[i], content) {
			t.defaults.unsteady = true
			return nil
		}
		results[i] = content
		if call == 1 && bytes.Equal(results[0], results[1]) {
			return nil
		}
	}
	return results
}
