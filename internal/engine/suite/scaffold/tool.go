package scaffold

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// Limits of the tests of one tool.
const (
	maxAccepted = 10  // cases that the schema allows
	maxRejected = 12  // cases that it forbids
	maxCaseArgs = 400 // bytes of arguments: a suite is read by people

	variantTimeout = 2 * time.Second // of a call with other arguments: it is one of many
)

// unknownToolName is a tool that no server has.
const unknownToolName = "mcptest_no_such_tool"

func (w *writer) tools(items []mcp.Item) {
	for _, item := range items {
		if w.Has(item.Name) {
			continue
		}
		w.tool(item)
	}
	if len(items) > 0 && !w.Has(unknownToolName) {
		w.unknownTool()
	}
}

// unknownTool adds a call of a tool that does not exist.
func (w *writer) unknownTool() {
	seen := w.look(calls.Call{Method: calls.Tool, Name: unknownToolName, Arguments: json.RawMessage("{}")})
	if seen.err != nil {
		return
	}
	xfail := ""
	if !seen.rejected() {
		xfail = "    xfail: accepted when this suite was written\n"
	}
	w.add("tools", fmt.Sprintf("  - name: an unknown tool is rejected\n    tool: %s\n    expect: {rejected: true}\n%s",
		unknownToolName, xfail))
}

// tool adds the tests of one tool.
func (w *writer) tool(item mcp.Item) {
	may, input := w.Permit.Of(item.Raw), json.RawMessage(nil)
	input, _ = schema.Get(item.Raw, "/inputSchema")
	full, minimal, err := sampleArguments(input)
	args := fmt.Sprintf("    args: %s\n", flowYAML(minimal))
	switch {
	case err != nil:
		w.todo("tools", "tool", item.Name, "    args: {}\n", err.Error())
		return
	case may.Calls < Calls:
		w.todo("tools", "tool", item.Name, args, may.Why+"; call it with mcptest init --tools, or remove skip")
		return
	}
	t := &toolWriter{writer: w, item: item, safe: safety.Of(item.Raw).Calls == safety.Unlimited}
	first := t.call(minimal)
	if why := first.why(); why != "" {
		w.todo("tools", "tool", item.Name, args, why+"; set arguments that work")
		if first.err == nil && t.safe {
			t.cases(minimal, minimal, false)
		}
		return
	}
	w.called++
	t.slow = first.elapsed > slowCall
	second := t.again(minimal, first)
	t.minimal(minimal, first, second)
	if !t.safe {
		return
	}
	if !t.slow && second.err == nil && match.Equal(first.result(), second.result()) {
		t.twice(minimal)
	}
	t.cases(full, minimal, !t.slow)
}

// sampleArguments are arguments that a schema allows: all of them, and only the required ones.
func sampleArguments(input json.RawMessage) (full, minimal json.RawMessage, err error) {
	if len(input) == 0 {
		input = json.RawMessage(`{"type":"object"}`)
	}
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		return nil, json.RawMessage("{}"), err
	}
	if full, err = compiled.Sample(&schema.SampleOptions{AllProperties: true}); err != nil {
		return nil, json.RawMessage("{}"), err
	}
	required, _ := schema.Get(input, "/required")
	members, _ := schema.Members(full)
	out := []byte{'{'}
	for _, m := range members {
		if !match.Contains(required, variables.Quoted(m.Name)) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, variables.Quoted(m.Name)...), ':'), m.Value...)
	}
	if out = append(out, '}'); len(compiled.Validate(out)) > 0 {
		return full, full, nil // a condition of the schema requires more
	}
	return full, out, nil
}

// A toolWriter writes the tests of one tool.
type toolWriter struct {
	*writer
	item mcp.Item
	safe bool // it may be called as often as needed
	slow bool
}

func (t *toolWriter) call(args json.RawMessage) *sighting {
	return t.look(calls.Call{Method: calls.Tool, Name: t.item.Name, Arguments: args, Definition: t.item.Raw})
}

// again makes a call again, to see whether the result is the same. A slow one is not made again, and may differ.
func (t *toolWriter) again(args json.RawMessage, first *sighting) *sighting {
	if first.elapsed > slowCall {
		return &sighting{err: errSlow}
	}
	return t.call(args)
}

var errSlow = errors.New("the call is slow")

// minimal adds the call with the required arguments only.
func (t *toolWriter) minimal(args json.RawMessage, first, second *sighting) {
	var b strings.Builder
	fmt.Fprintf(&b, "  - name: %s\n    tool: %[1]s\n    args: %s\n", quotedYAML(t.item.Name), flowYAML(args))
	if t.slow {
		fmt.Fprintf(&b, "    tags: [slow] # it took %v; mcptest run --skip-tag slow leaves it out\n",
			first.elapsed.Round(time.Second/10))
	}
	fmt.Fprintf(&b, "    expect: %s\n", t.expectations(first, second))
	t.add("tools", b.String())
}

// twice adds a sequence that makes the same call again.
func (t *toolWriter) twice(args json.RawMessage) {
	name := quotedYAML(t.item.Name)
	t.add("sequences", fmt.Sprintf("  - name: %s\n    steps:\n"+
		"      - {tool: %s, args: %s, capture: {first: result}}\n"+
		"      - {tool: %[2]s, args: %[3]s, expect: {target: result, exact: \"${first}\"}}\n",
		quotedYAML(t.item.Name+" returns the same again"), name, flowYAML(args)))
}

// cases adds calls that the schema allows, and calls that it forbids.
func (t *toolWriter) cases(base, minimal json.RawMessage, accepted bool) {
	if t.Vary == nil {
		return
	}
	variants, err := t.Vary(t.item.Raw, base)
	if err != nil {
		return
	}
	defer func(usual time.Duration) { t.Timeout = usual }(t.Timeout)
	t.Timeout = min(t.Timeout, variantTimeout)
	if accepted {
		t.accepted(append([]suite.Variant{{Name: "all arguments", Kind: suite.Boundary, Arguments: base}}, variants...), minimal)
	}
	t.rejected(variants)
}

// A oneCase is one case of a test.
type oneCase struct {
	fields  string // in YAML, after the name
	expect  string
	comment string
}

// accepted adds the calls that the schema allows: each optional argument omitted, and values at the limits. The minimal
// call has its own test.
func (t *toolWriter) accepted(variants []suite.Variant, minimal json.RawMessage) {
	var all []oneCase
	var comments []string
	for _, v := range variants {
		if v.Kind == suite.Invalid || len(v.Arguments) > maxCaseArgs || len(all) == maxAccepted || match.Equal(v.Arguments, minimal) {
			continue
		}
		first := t.call(v.Arguments)
		if first.err != nil {
			comments = append(comments, noResponse(v, first.err))
			continue
		}
		c := oneCase{fields: fmt.Sprintf("name: %s, args: %s", quotedYAML(v.Name), flowYAML(v.Arguments)),
			expect: t.expectations(first, t.again(v.Arguments, first))}
		switch {
		case first.rejected():
			c.comment = " # the schema allows this call, and the server rejects it"
		case first.malformed() != "":
			c.fields += ", xfail: " + quotedYAML("malformed result: "+suite.OneLine(first.malformed()))
		}
		all = append(all, c)
	}
	usual := usualExpect(all)
	var lines []string
	for _, c := range all {
		if c.expect != usual {
			c.fields += ", expect: " + c.expect
		}
		lines = append(lines, fmt.Sprintf("      - {%s}%s\n", c.fields, c.comment))
	}
	t.addCases(t.item.Name+" with other arguments", usual, append(lines, comments...))
}

// usualExpect returns the most frequent expectation of cases.
func usualExpect(all []oneCase) string {
	count, usual := map[string]int{}, ""
	for _, c := range all {
		if count[c.expect]++; count[c.expect] > count[usual] {
			usual = c.expect
		}
	}
	return usual
}

// noResponse is a comment about a call that is not tested.
func noResponse(v suite.Variant, err error) string {
	return fmt.Sprintf("      # %s: no response (%s)\n", suite.OneLine(v.Name), suite.OneLine(err.Error()))
}

// rejected adds one wrong value for each constraint. A call that is accepted anyway is expected to fail.
func (t *toolWriter) rejected(variants []suite.Variant) {
	var lines []string
	for _, v := range variants {
		if v.Kind != suite.Invalid || len(v.Arguments) > maxCaseArgs || len(lines) == maxRejected {
			continue
		}
		seen := t.call(v.Arguments)
		xfail := ""
		switch {
		case seen.err != nil:
			lines = append(lines, noResponse(v, seen.err))
			continue
		case !seen.rejected():
			xfail = ", xfail: accepted when this suite was written"
		}
		lines = append(lines, fmt.Sprintf("      - {name: %s, args: %s%s}\n", quotedYAML(v.Name), flowYAML(v.Arguments),
			xfail))
	}
	t.addCases(t.item.Name+" rejects what its schema forbids", "{rejected: true}", lines)
}

// addCases adds a test with cases, some of which are only comments.
func (t *toolWriter) addCases(name, expect string, lines []string) {
	count := 0
	for _, line := range lines {
		if strings.HasPrefix(line, "      - ") {
			count++
		}
	}
	if count == 0 {
		return
	}
	t.add("tools", fmt.Sprintf("  - name: %s\n    tool: %s\n    expect: %s\n    cases:\n%s", quotedYAML(name), quotedYAML(t.item.Name),
		expect, strings.Join(lines, "")))
	t.out.Tests += count - 1
}
