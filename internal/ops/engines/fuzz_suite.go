package engines

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// suiteOf returns a defect as a test that passes once it is fixed: its calls, or, if calls alone cannot
// reproduce it, the fuzz run.
func (in *FuzzInput) suiteOf(f *fuzz.Found) string {
	head := fmt.Sprintf("# %s: %s\nservers:\n%s", f.Rule.ID, oneLineOf(f.Breach), workbench.ServerLines(&in.Connection))
	if body, ok := callsOf(f); ok {
		return head + body
	}
	return head + in.runOf(f)
}

// callsOf returns a sequence of calls that shows the defect; false if it takes more than calls: frames,
// cancellations, process state, output other than messages, or a comparison of arguments and results.
func callsOf(f *fuzz.Found) (string, bool) {
	steps := f.Unfolded()
	beyond := []string{"FUZZ-010", "FUZZ-011", "FUZZ-016", "FUZZ-017", "FUZZ-019", "FUZZ-020", "FUZZ-021",
		"FUZZ-022", "FUZZ-023", "FUZZ-024", "FUZZ-029", "FUZZ-030", "FUZZ-031", "FUZZ-033"}
	if slices.Contains(beyond, f.Rule.ID) || slices.ContainsFunc(steps,
		func(s fuzz.Step) bool { return s.Tool == "" || s.Cancel }) {
		return "", false
	}
	var b strings.Builder
	if len(steps) > 1 || slices.Contains([]string{"FUZZ-001", "FUZZ-002", "FUZZ-009"}, f.Rule.ID) {
		b.WriteString("run_options: {restart: file}\n") // earlier calls matter, or the server is lost to other tests
	}
	fmt.Fprintf(&b, "sequences:\n  - name: %s\n    timeout: 10s\n    steps:\n", workbench.QuoteYAML(f.Rule.Title()))
	for i, s := range steps {
		expect := "{target: result.isError, one_of: [true, false]}" // any response passes
		if i == len(steps)-1 {
			expect = cmp.Or(expectationOf(f), expect)
		}
		fmt.Fprintf(&b, "      - tool: %s\n        args: %s\n        expect: %s\n", workbench.QuoteYAML(s.Tool),
			variables.Escape(string(s.Arguments)), expect)
	}
	if f.Rule.ID == "FUZZ-009" {
		fmt.Fprintf(&b, "      - method: %s\n", f.Sign)
	}
	return b.String(), true
}

// expectationOf returns what a correct server does instead of the defect; empty if any response passes.
func expectationOf(f *fuzz.Found) string {
	switch f.Rule.ID {
	case "FUZZ-004", "FUZZ-008": // a protocol error is also correct, but a suite cannot express both
		return "{is_error: true}"
	case "FUZZ-014", "FUZZ-015", "FUZZ-018", "FUZZ-025", "FUZZ-026", "FUZZ-027",
		"FUZZ-028", "FUZZ-032": // the schema allows the call
		return "{is_error: false}"
	case "FUZZ-003":
		return "{target: result.content, schema: {type: array, items: {type: object, required: [type]}}}"
	case "FUZZ-006":
		if f.Output != nil {
			return fmt.Sprintf("{target: result.structuredContent, schema: %s}", variables.Escape(string(f.Output)))
		}
	case "FUZZ-007":
		return `{target: text, not: {regex: "Traceback|goroutine|/(home|root|srv|app|usr)/|API_KEY"}}`
	}
	return ""
}

// runOf repeats the fuzz run and expects no finding of the rule.
func (in *FuzzInput) runOf(f *fuzz.Found) string {
	with := []string{fmt.Sprintf("seed: %d", in.Seed),
		fmt.Sprintf("cases: %d", cmp.Or(in.Cases, max(fuzz.DefaultCases, f.Cases)))}
	if len(in.Tool) > 0 {
		names := make([]string, len(in.Tool))
		for i, name := range in.Tool {
			names[i] = workbench.QuoteYAML(name)
		}
		with = append(with, "tool: ["+strings.Join(names, ", ")+"]")
	}
	for _, flag := range in.flags() {
		with = append(with, strings.ReplaceAll(flag, "-", "_")+": true")
	}
	return fmt.Sprintf("fuzz:\n  - name: %s\n    timeout: 5m\n    with: {%s}\n    expect: {target: 'rule[\"%s\"]', "+
		"exact: 0}\n", workbench.QuoteYAML(f.Rule.Title()), strings.Join(with, ", "), f.Rule.ID)
}

// flags lists the options that are set and have no value.
func (in *FuzzInput) flags() []string {
	var all []string
	for _, flag := range []struct {
		on   bool
		name string
	}{{in.Stateful, "stateful"}, {in.Wire, "wire"}, {in.AllowDestructive, "allow-destructive"},
		{in.AllowDisruptive, "allow-disruptive"}} {
		if flag.on {
			all = append(all, flag.name)
		}
	}
	return all
}
