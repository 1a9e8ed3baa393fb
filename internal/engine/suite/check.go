package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// check creates the tests of a suite and finds problems that the decoder does not detect: unknown servers, undefined
// names.
func (l *loader) check(s *Suite) {
	for _, c := range s.parameters() {
		l.caseFile(c)
	}
	l.fixtures(s)
	s.Tests = s.tests()
	l.sections(s)
	for _, name := range slices.Sorted(maps.Keys(s.Servers)) {
		l.texts(s.scope, s.Servers[name].Position, s.Servers[name].texts()...)
	}
	l.matrix(s)
	l.tests(s)
	for _, h := range slices.Concat(s.Setup, s.Teardown, s.SetupPerTest) {
		l.texts(s.scope, h.Position, h.Texts()...)
		l.output(h.Position, h.WaitFor)
	}
	l.perTest(s)
}

// sections finds problems with the file apart from its tests.
func (l *loader) sections(s *Suite) {
	if len(s.Servers) == 0 && l.files.Server != "" {
		s.Servers = map[string]*Server{l.files.Server: {}}
	}
	if len(s.Servers) == 0 && len(s.Tests) > 0 {
		l.wrong(s.Position, "servers is missing: add the server to test, such as servers: {local: {command: [node, "+
			"server.js]}}")
	}
	for _, c := range s.Coverage {
		for _, share := range []*float64{c.Tools, c.Parameters, c.EnumValues, c.ErrorPaths} {
			if share != nil && !(*share >= 0 && *share <= 100) {
				l.wrong(c.Position, "coverage is %v, expected a percentage from 0 to 100", *share)
			}
		}
	}
	if s.RunOptions.Retries < 0 {
		l.wrong(s.RunOptions.Position, "run_options: retries is %d, expected 0 or more", s.RunOptions.Retries)
	}
	for _, c := range s.parameters() {
		if c != nil && len(c.Generate) > 0 && !s.generates(c) {
			l.wrong(c.Position, "generate requires the schema of a tool: use it in the section tools")
		}
	}
	for _, t := range s.Completions {
		if (t.Prompt == "") == (t.Template == "") {
			l.wrong(t.Position, "a completion requires exactly one of prompt and template")
		}
	}
	for _, q := range s.Sequences {
		for _, step := range q.Steps {
			if step.XFail != "" {
				l.wrong(step.Position, "a step cannot have xfail: set it for the sequence")
			}
			if n := step.subjects(); n != 1 {
				l.wrong(step.Position, "a step requires exactly one of tool, resource, prompt and method, got %d", n)
			}
		}
	}
}

// tests finds problems with the tests, and assigns each a unique ID.
func (l *loader) tests(s *Suite) {
	ids := map[string]bool{}
	for _, t := range s.Tests {
		l.server(s, t)
		for i := 2; ids[t.ID]; i++ {
			t.ID = fmt.Sprintf("%s (%d)", strings.TrimSuffix(t.ID, fmt.Sprintf(" (%d)", i-1)), i)
		}
		ids[t.ID] = true
		l.references(s, t)
		l.unusedValues(t)
		l.values(t)
	}
}

// texts are the parts of a server that may refer to variables.
func (s *Server) texts() []string {
	all := slices.Concat([]string{s.Target, s.URL, s.Cwd}, s.Command, s.Args)
	all = slices.AppendSeq(all, maps.Values(s.Env))
	return slices.AppendSeq(all, maps.Values(s.Headers))
}

// subjects counts what a step calls.
func (s *Step) subjects() int {
	n := 0
	for _, name := range []string{s.Tool, s.Resource, s.Prompt, s.Method} {
		if name != "" {
			n++
		}
	}
	return n
}

func (l *loader) server(s *Suite, t *Test) {
	if t.Server == "" && len(s.Servers) == 1 {
		for name := range s.Servers {
			t.Server = name
		}
	}
	known := slices.Sorted(maps.Keys(s.Servers))
	switch {
	case len(known) == 0, s.Servers[t.Server] != nil:
	case t.Server == "" && s.Matrix != nil: // whose problems were reported
	case t.Server == "":
		l.wrong(t.Position, "%s: server is missing, expected one of %s", t.Name, strings.Join(known, ", "))
	default:
		l.wrong(t.Position, "%s: unknown server %q; %s", t.Name, t.Server, meant(t.Server, known))
	}
}

// meant suggests known words for an unknown one.
func meant(word string, known []string) string {
	if nearest := typo.Best(word, known); nearest != "" {
		return "did you mean " + nearest + "?"
	}
	return "expected one of " + strings.Join(known, ", ")
}

// values finds values that cannot be sent, and invalid numbers.
func (l *loader) values(t *Test) {
	if t.Retries != nil && *t.Retries < 0 {
		l.wrong(t.Position, "%s: retries is %d, expected 0 or more", t.Name, *t.Retries)
	}
	for _, c := range t.Steps {
		if c.Args == nil || c.Kind == "method" || c.Args.Kind == document.Map || c.Args.Kind == document.Null {
			continue
		}
		if c.Args.Kind == document.String && strings.HasPrefix(c.Args.Text, "${") {
			continue // a variable can be a mapping
		}
		at := document.Position{File: c.File, Line: c.Args.Line, Column: c.Args.Column}
		l.wrong(at, "args is %s, expected a mapping of names to values (use the raw section to send anything else)",
			document.Describe(c.Args))
	}
}

// references finds undefined names. Names that earlier steps capture are defined.
func (l *loader) references(s *Suite, t *Test) {
	captured := map[string]json.RawMessage{}
	in := t.scope(s)
	in.Captured = captured
	for _, step := range t.Steps {
		for _, n := range step.nodes() {
			variables.Names(n, func(at *document.Node, name string) {
				l.name(in, document.Position{File: step.File, Line: at.Line, Column: at.Column}, name)
			})
		}
		l.texts(in, step.Position, step.Subject)
		l.targets(step)
		for name, target := range step.Capture {
			if from, err := parseCaptured(target); err != nil {
				l.wrong(step.Position, "capture %s: %v", name, err)
			} else if hint := unrooted(from.path); hint != "" {
				l.wrong(step.Position, "capture %s: %s begins with unknown %q; %s", name, target, from.path[0], hint)
			}
			captured[name] = json.RawMessage("null")
		}
	}
}

// targets finds expectations with invalid targets.
func (l *loader) targets(c Call) {
	if c.Expect == nil {
		return
	}
	for _, a := range c.Expect.All {
		if a.Target == "" {
			continue
		}
		if hint := unrooted(a.path); hint != "" {
			l.wrong(a.Position, "target %s begins with unknown %q; %s", a.Target, a.path[0], hint)
		}
	}
}

// unrooted suggests how a path into a response can begin, if this one is invalid.
func unrooted(at outcome.Path) string {
	if slices.Contains(outcome.Roots, at[0]) {
		return ""
	}
	return meant(at[0], outcome.Roots)
}

func (l *loader) texts(in scope, at document.Position, texts ...string) {
	for _, text := range texts {
		variables.NamesIn(text, func(name string) { l.name(in, at, name) })
	}
}

func (l *loader) name(in scope, at document.Position, name string) {
	if err := in.Check(name); err != nil {
		known := slices.Concat(slices.Collect(maps.Keys(in.Variables)), slices.Collect(maps.Keys(in.Row)),
			slices.Collect(maps.Keys(in.Captured)), slices.Sorted(maps.Keys(in.Fixtures)))
		hint := typo.Best(name, known)
		if hint == name {
			hint = ""
		}
		if hint != "" {
			hint = "; did you mean ${" + hint + "}?"
		}
		l.wrong(at, "%v%s", err, hint)
	}
}
