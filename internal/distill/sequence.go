package distill

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// A capture is a value of a response that a later step uses.
type capture struct {
	name     string
	location string // as the suite writes it
	value    json.RawMessage
}

// A source is where a value came from first.
type source struct {
	step     *step
	name     string // of its field
	location string
}

// minPart is how long a value must be to be found inside a longer text, such as a URI.
const minPart = 8

// group joins steps that use values of earlier responses with the steps that got these values. Only values that differ
// from run to run count: others are the same in the next run.
func group(steps []*step) []*test {
	g := &grouper{known: map[string]source{}, sent: map[string]bool{}, test: map[*step]*test{}, names: map[string]int{}}
	for _, s := range steps {
		g.test[s] = &test{steps: []*step{s}}
		for _, value := range g.used(s.exchange.Params) {
			from := g.known[value]
			if x := from.step.exchange; x.Started.Add(x.Duration).After(s.exchange.Started) {
				continue // its response was not there yet
			}
			g.capture(from, value)
			g.join(from.step, s)
		}
		each(s.exchange.Params, "", func(name string, value json.RawMessage) {
			if schema.Kind(value) == '"' || volatile.IsIDName(name) {
				g.sent[string(value)] = true
			}
		})
		g.learn(s)
	}
	var tests []*test
	for _, s := range steps {
		if t := g.test[s]; !slices.Contains(tests, t) {
			tests = append(tests, t)
		}
	}
	return tests
}

// A grouper is the state of group.
type grouper struct {
	known map[string]source // values of responses that differ from run to run, as JSON
	sent  map[string]bool   // values that the client sent, as JSON
	test  map[*step]*test
	names map[string]int // of captures
}

// each calls a function for every string and number of a value, with the name of its field.
func each(value json.RawMessage, name string, do func(name string, value json.RawMessage)) {
	switch schema.Kind(value) {
	case '{':
		members, _ := schema.Members(value)
		for _, m := range members {
			each(m.Value, m.Name, do)
		}
	case '[':
		elements, _ := schema.Elements(value)
		for _, e := range elements {
			each(e, name, do)
		}
	case '"', '0':
		do(name, value)
	}
}

// used returns the known values in params, without duplicates.
func (g *grouper) used(params json.RawMessage) []string {
	var all []string
	add := func(value string) {
		if !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	each(params, "", func(name string, value json.RawMessage) {
		if _, known := g.known[string(value)]; known && (schema.Kind(value) == '"' || volatile.IsIDName(name)) {
			add(string(value))
			return
		}
		text, _ := schema.Text(value)
		for _, id := range volatile.IDs(text) {
			if _, known := g.known[string(rawjson.Quote(id))]; known && len(id) >= minPart {
				add(string(rawjson.Quote(id)))
			}
		}
	})
	return all
}

// capture adds a capture to the step that got a value.
func (g *grouper) capture(from source, value string) {
	if slices.ContainsFunc(from.step.captures, func(c capture) bool { return string(c.value) == value }) {
		return
	}
	name := notInName.ReplaceAllString(from.name, "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "id"
	}
	if g.names[name]++; g.names[name] > 1 {
		name = fmt.Sprintf("%s_%d", name, g.names[name])
	}
	from.step.captures = append(from.step.captures, capture{name, from.location, json.RawMessage(value)})
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_]`)

// join puts two steps into one test, in the order of the recording.
func (g *grouper) join(a, b *step) {
	into, from := g.test[a], g.test[b]
	if into == from {
		return
	}
	into.steps = append(into.steps, from.steps...)
	slices.SortStableFunc(into.steps, func(a, b *step) int { return a.exchange.Index - b.exchange.Index })
	for _, s := range from.steps {
		g.test[s] = into
	}
}

// learn adds the values of a response that differ from run to run and that the client did not choose.
func (g *grouper) learn(s *step) {
	if s.exchange.Error != nil || calls.IsError(s.exchange.Result) {
		return
	}
	g.values(s, "result", "", "", s.exchange.Result, 0)
}

// values adds the values at a target. inner is the jq expression that leads from the target into JSON in its text.
func (g *grouper) values(s *step, target, inner, name string, value json.RawMessage, depth int) {
	if depth > maxDepth {
		return
	}
	deeper := func(token, jq, name string, v json.RawMessage) {
		if inner != "" {
			g.values(s, target, inner+jq, name, v, depth+1)
		} else if token != "" {
			g.values(s, target+token, "", name, v, depth+1)
		}
	}
	switch schema.Kind(value) {
	case '{':
		members, _ := schema.Members(value)
		for _, m := range members {
			if m.Name != "_meta" {
				deeper(token(m.Name), "["+string(rawjson.Quote(m.Name))+"]", m.Name, m.Value)
			}
		}
	case '[':
		elements, _ := schema.Elements(value)
		for i, e := range elements {
			at := fmt.Sprintf("[%d]", i)
			deeper(at, at, name, e)
		}
	case '"':
		g.text(s, target, inner, name, value, depth)
	case '0':
		if volatile.IsIDName(name) {
			g.add(s, target, inner, name, value)
		}
	}
}

func (g *grouper) text(s *step, target, inner, name string, value json.RawMessage, depth int) {
	text, _ := schema.Text(value)
	switch {
	case text == "" || isRedacted(text) || isBinary(name):
	case volatile.IsIDName(name), volatile.Normalize(text, s.exchange.Started) == volatile.ID:
		g.add(s, target, inner, name, rawjson.Quote(text))
	case inner == "" && volatile.IsJSON(text):
		g.values(s, target, " | fromjson | .", name, json.RawMessage(text), depth+1)
	default:
		for _, id := range volatile.IDs(text) {
			before, after, _ := strings.Cut(text, id)
			pattern := "^" + formOf(before, s.exchange.Started) + "(?<v>[0-9A-Za-z-]+)" +
				formOf(after, s.exchange.Started) + "$"
			g.add(s, target, inner+" | capture("+string(rawjson.Quote(pattern))+").v", "", rawjson.Quote(id))
		}
	}
}

// add adds a value, unless an earlier response had it or the client sent it.
func (g *grouper) add(s *step, target, inner, name string, value json.RawMessage) {
	if _, known := g.known[string(value)]; known || g.sent[string(value)] {
		return
	}
	g.known[string(value)] = source{s, name, target + inner}
}
