package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
)

// Files are where suites and their snapshots lie.
type Files struct {
	Read  func(path string) ([]byte, error)
	Write func(path string, data []byte) error
}

// maxImports is how many files one suite may be made of.
const maxImports = 100

// A Plan is all tests of the files that were loaded.
type Plan struct {
	Suites []*Suite
}

// A Suite is one file, with what it imports, and its tests in the order in which they stand.
type Suite struct {
	*File
	Tests []*Test
	scope scope
}

// Tests lists the tests of every suite.
func (p *Plan) Tests() []*Test {
	var all []*Test
	for _, s := range p.Suites {
		all = append(all, s.Tests...)
	}
	return all
}

// Load reads suite files. Lookup is the environment. The problems are all that is wrong with any of them.
func Load(files Files, lookup func(string) (string, bool), paths ...string) (*Plan, document.Problems) {
	plan := &Plan{}
	var problems document.Problems
	for _, path := range paths {
		l := &loader{files: files, seen: map[string]bool{}}
		file := l.file(path, nil)
		if file != nil {
			suite := &Suite{File: file, scope: scope{variables: file.Variables, lookup: withDir(lookup, path)}}
			l.check(suite)
			plan.Suites = append(plan.Suites, suite)
		}
		l.problems.Sort()
		problems = append(problems, l.problems...)
	}
	return plan, problems
}

// withDir adds CONFIG_DIR, the directory of the file, to the environment.
func withDir(lookup func(string) (string, bool), path string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if name == "CONFIG_DIR" {
			dir, err := filepath.Abs(filepath.Dir(path))
			return dir, err == nil
		}
		if lookup == nil {
			return "", false
		}
		return lookup(name)
	}
}

type loader struct {
	files    Files
	seen     map[string]bool
	problems document.Problems
}

func (l *loader) wrong(at document.Position, format string, args ...any) {
	l.problems = append(l.problems, document.Problem{File: at.File, Line: max(at.Line, 1), Column: max(at.Column, 1), Message: fmt.Sprintf(format, args...)})
}

// file reads a file and those that it imports.
func (l *loader) file(path string, from *document.Position) *File {
	at := document.Position{File: path}
	if from != nil {
		at = *from
	}
	if l.seen[filepath.Clean(path)] {
		return nil // imported twice is imported once
	}
	l.seen[filepath.Clean(path)] = true
	if len(l.seen) > maxImports {
		l.wrong(at, "the suite imports more than %d files", maxImports)
		return nil
	}
	data, err := l.files.Read(path)
	if err != nil {
		l.wrong(at, "%v", unread(path, err))
		return nil
	}
	node, problems := document.Parse(path, data)
	l.problems = append(l.problems, problems...)
	if len(problems) > 0 {
		return nil
	}
	file := &File{}
	d := &document.Decoder{File: path}
	if node.Kind == document.Null {
		l.wrong(document.Position{File: path}, "the file is empty; want servers and tests (mcptest init TARGET writes a first suite)")
		return nil
	}
	d.Decode(node, file)
	l.problems = append(l.problems, d.Problems...)
	file.Position = document.Position{File: path, Line: node.Line, Column: node.Column}
	for _, other := range file.Imports {
		if other.Path == "" {
			continue // which has been told
		}
		if imported := l.file(filepath.Join(filepath.Dir(path), other.Path), &other.Position); imported != nil {
			file.join(imported)
		}
	}
	return file
}

func unread(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", path)
	}
	return err
}

// join adds what another file holds. What this one says itself counts.
func (f *File) join(o *File) {
	if f.Servers == nil {
		f.Servers = map[string]*Server{}
	}
	if f.Variables == nil {
		f.Variables = map[string]*document.Node{}
	}
	for name, s := range o.Servers {
		if f.Servers[name] == nil {
			f.Servers[name] = s
		}
	}
	for name, v := range o.Variables {
		if f.Variables[name] == nil {
			f.Variables[name] = v
		}
	}
	f.Setup, f.Teardown = append(o.Setup, f.Setup...), append(f.Teardown, o.Teardown...)
	f.SetupPerTest = append(o.SetupPerTest, f.SetupPerTest...)
	f.Tools, f.Resources, f.Prompts = append(f.Tools, o.Tools...), append(f.Resources, o.Resources...), append(f.Prompts, o.Prompts...)
	f.Completions, f.Raw, f.Sequences = append(f.Completions, o.Completions...), append(f.Raw, o.Raw...), append(f.Sequences, o.Sequences...)
	f.ToolQuality, f.SchemaLint, f.Conform = append(f.ToolQuality, o.ToolQuality...), append(f.SchemaLint, o.SchemaLint...), append(f.Conform, o.Conform...)
	f.Fuzz, f.Performance, f.Coverage = append(f.Fuzz, o.Fuzz...), append(f.Performance, o.Performance...), append(f.Coverage, o.Coverage...)
}

// check makes the tests of a suite and finds what no decoder sees: servers that are not there, names that mean nothing.
func (l *loader) check(s *Suite) {
	s.Tests = s.tests()
	if len(s.Servers) == 0 && len(s.Tests) > 0 {
		l.wrong(s.Position, "servers is missing: the tests have nothing to talk to")
	}
	for _, c := range s.Coverage {
		for _, share := range []*float64{c.Tools, c.Parameters} {
			if share != nil && !(*share >= 0 && *share <= 100) {
				l.wrong(c.Position, "coverage of %v; want a percentage from 0 to 100", *share)
			}
		}
	}
	if s.RunOptions.Retries < 0 {
		l.wrong(s.Position, "run_options: retries is %d; want a number from 0", s.RunOptions.Retries)
	}
	for _, t := range s.Completions {
		if (t.Prompt == "") == (t.Template == "") {
			l.wrong(t.Position, "a completion has either a prompt or a template")
		}
	}
	for _, q := range s.Sequences {
		for _, step := range q.Steps {
			if n := step.subjects(); n != 1 {
				l.wrong(step.Position, "a step has one of tool, resource, prompt and method; this one has %d of them", n)
			}
		}
	}
	ids := map[string]bool{}
	for _, t := range s.Tests {
		l.server(s, t)
		for i := 2; ids[t.ID]; i++ {
			t.ID = fmt.Sprintf("%s (%d)", strings.TrimSuffix(t.ID, fmt.Sprintf(" (%d)", i-1)), i)
		}
		ids[t.ID] = true
		l.references(s, t)
		l.values(t)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Servers)) {
		l.texts(s, s.Servers[name].Position, nil, s.Servers[name].texts()...)
	}
	for _, h := range slices.Concat(s.Setup, s.Teardown, s.SetupPerTest) {
		l.texts(s, h.Position, nil, append(slices.Collect(maps.Values(h.Env)), h.Command...)...)
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
	case t.Server == "":
		l.wrong(t.Position, "%s: server is missing; want one of %s", t.Name, strings.Join(known, ", "))
	default:
		hint := "want one of " + strings.Join(known, ", ")
		if meant := document.Nearest(t.Server, known); meant != "" {
			hint = "did you mean " + meant + "?"
		}
		l.wrong(t.Position, "%s: there is no server %q; %s", t.Name, t.Server, hint)
	}
}

// values finds what no server can be sent, and numbers that mean nothing.
func (l *loader) values(t *Test) {
	if t.Retries != nil && *t.Retries < 0 {
		l.wrong(t.Position, "%s: retries is %d; want a number from 0", t.Name, *t.Retries)
	}
	for _, c := range t.Steps {
		if c.Args == nil || c.Kind == "method" || c.Args.Kind == document.Map || c.Args.Kind == document.Null {
			continue
		}
		if c.Args.Kind == document.String && strings.HasPrefix(c.Args.Text, "${") {
			continue // a variable can be a mapping
		}
		at := document.Position{File: c.File, Line: c.Args.Line, Column: c.Args.Column}
		l.wrong(at, "args is %s; want a mapping of names to values (the section raw sends anything)", document.Describe(c.Args))
	}
}

// references finds names that mean nothing. Those that earlier steps capture do.
func (l *loader) references(s *Suite, t *Test) {
	captured := map[string]json.RawMessage{}
	for _, step := range t.Steps {
		for _, n := range step.nodes() {
			names(n, func(at *document.Node, name string) {
				l.name(s, document.Position{File: step.File, Line: at.Line, Column: at.Column}, captured, name)
			})
		}
		l.texts(s, step.Position, captured, step.Subject)
		l.targets(step)
		for name, target := range step.Capture {
			if _, err := parsePath(target); err != nil {
				l.wrong(step.Position, "capture %s: %v", name, err)
			}
			captured[name] = json.RawMessage("null")
		}
	}
}

// targets finds expectations that look where nothing can be.
func (l *loader) targets(c Call) {
	if c.Expect == nil {
		return
	}
	for _, a := range c.Expect.All {
		if a.Target == "" || slices.Contains(roots, a.path[0]) {
			continue
		}
		hint := "want one of " + strings.Join(roots, ", ")
		if meant := document.Nearest(a.path[0], roots); meant != "" {
			hint = "did you mean " + meant + "?"
		}
		l.wrong(a.Position, "the target %s begins with %q; %s", a.Target, a.path[0], hint)
	}
}

func (l *loader) texts(s *Suite, at document.Position, captured map[string]json.RawMessage, texts ...string) {
	for _, text := range texts {
		namesIn(text, func(name string) { l.name(s, at, captured, name) })
	}
}

func (l *loader) name(s *Suite, at document.Position, captured map[string]json.RawMessage, name string) {
	in := s.scope
	in.captured = captured
	if _, err := in.value(name, 0); err != nil {
		known := slices.Concat(slices.Collect(maps.Keys(s.Variables)), slices.Collect(maps.Keys(captured)))
		hint := document.Nearest(name, known)
		if hint == name {
			hint = ""
		}
		if hint != "" {
			hint = "; did you mean ${" + hint + "}?"
		}
		l.wrong(at, "%v%s", err, hint)
	}
}
