package distill

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// An assertion is one expectation.
type assertion struct {
	target  string // empty for the default target of the test
	matcher string
	arg     json.RawMessage
}

// Limits of what is expected: items of a list, elements of an array of which some differ from run to run, and
// characters of an exact text.
const (
	maxItems    = 500
	maxElements = 50
	maxExact    = 64 << 10
)

// An expecter collects the expectations of a step.
type expecter struct {
	arguments string            // of the request
	variables map[string]string // captured values of earlier steps, as JSON
	all       []assertion
}

func (e *expecter) add(target, matcher string, arg json.RawMessage) {
	e.all = append(e.all, assertion{target, matcher, arg})
}

func (e *expecter) addType(target, kind string) {
	if kind == "" || kind == "null" {
		e.add(target, "exists", json.RawMessage("true"))
		return
	}
	e.add(target, "schema", json.RawMessage(`{"type":`+string(rawjson.Quote(kind))+`}`))
}

// expectations returns what must hold for the response of a step.
func (s *step) expectations(variables map[string]string) []assertion {
	x := s.exchange
	e := &expecter{arguments: string(x.Params), variables: variables}
	if x.Error != nil {
		e.add("", "error_code", serve.Encode(x.Error.Code))
		e.value("error.message", "", []sample{{rawjson.Quote(x.Error.Message), x.Started}}, 0)
		return e.all
	}
	boundary := serve.Boundary{Client: spec.Legacy, Server: x.Era}
	all := make([]sample, len(s.results))
	for i, r := range s.results {
		all[i] = sample{boundary.Result(x.Method, r.value), r.at}
	}
	e.result(x.Method, all)
	return e.all
}

// result expects the members of a result.
func (e *expecter) result(method string, all []sample) {
	names, _ := members(all)
	failed := calls.IsError(all[0].value)
	if failed {
		e.add("", "is_error", json.RawMessage("true"))
	}
	if method == "tools/call" && e.plainText(all, names) {
		return
	}
	mirrored := !slices.ContainsFunc(all, func(s sample) bool {
		fields, _ := schema.Members(s.value)
		return !volatile.IsMirror(fields)
	})
	for _, name := range names {
		if name == "_meta" || name == "isError" || mirrored && name == "content" {
			continue
		}
		target, field := "result"+token(name), fieldOf(all, name)
		if serve.IsList(method) && kindOf(field) == "array" {
			e.items(target, field)
			continue
		}
		e.value(target, name, field, 0)
	}
	if looksAtContent := func(a assertion) bool { return a.target == "result.content" || a.target == "text" }; !failed &&
		slices.ContainsFunc(e.all, looksAtContent) { // such a test does not fail because of isError alone
		e.add("", "is_error", json.RawMessage("false"))
	}
}

// items expects the items of a list that all samples have. More items and fields are accepted: a server may offer other
// items to other clients.
func (e *expecter) items(target string, all []sample) {
	elements, _ := schema.Elements(all[0].value)
	for _, item := range elements[:min(len(elements), maxItems)] {
		stable := e.stable(item, all[0].at)
		if everywhere := !slices.ContainsFunc(all, func(s sample) bool {
			others, _ := schema.Elements(s.value)
			return !slices.ContainsFunc(others, func(o json.RawMessage) bool {
				return recording.Canonical(e.stable(o, s.at)) == recording.Canonical(stable)
			})
		}); everywhere {
			e.add(target, "contains", stable)
		}
	}
}

// stable returns a value without the fields that differ from run to run.
func (e *expecter) stable(value json.RawMessage, at time.Time) json.RawMessage {
	if schema.Kind(value) != '{' {
		return value
	}
	fields, _ := schema.Members(value)
	var out []string
	for _, m := range fields {
		switch isObject := schema.Kind(m.Value) == '{'; {
		case m.Name == "_meta" || !isObject && differs(m.Name, m.Value, at, e.arguments):
		case isObject:
			out = append(out, string(rawjson.Quote(m.Name))+":"+string(e.stable(m.Value, at)))
		default:
			out = append(out, string(rawjson.Quote(m.Name))+":"+string(m.Value))
		}
	}
	return json.RawMessage("{" + strings.Join(out, ",") + "}")
}

// plainText expects the text of a tool result that has nothing but one text. It reports whether it has.
func (e *expecter) plainText(all []sample, names []string) bool {
	blocks := pick(all, "/content/0")
	if blocks == nil || lengthOf(pick(all, "/content")) != 1 {
		return false
	}
	fields, complete := members(blocks)
	slices.Sort(fields)
	if slices.Contains(names, "structuredContent") || !complete || !slices.Equal(fields, []string{"text", "type"}) {
		return false
	}
	e.value("text", "text", fieldOf(blocks, "text"), 0)
	for i := range e.all {
		if a := &e.all[i]; a.target == "text" && (a.matcher == "exact" || a.matcher == "regex") {
			a.target = "" // the default
		}
	}
	if !calls.IsError(all[0].value) && slices.ContainsFunc(e.all, func(a assertion) bool { return a.target == "text" }) {
		e.add("", "is_error", json.RawMessage("false"))
	}
	return true
}
