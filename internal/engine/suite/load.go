package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
)

// Files provides access to suites and their snapshots.
type Files struct {
	Read  func(path string) ([]byte, error)
	Write func(path string, data []byte) error

	Server string // the name of the server for suites that define none; empty means that they must define one
	Text   bool   // the source is not a file and has no directory
}

// maxImports is the maximum number of files in one suite.
const maxImports = 100

// A Plan is the list of all tests of the files that were loaded.
type Plan struct {
	Suites []*Suite
	Shard  Shard // which part of whole files is left after Choose; the zero value if it is not one of several
}

// A Suite is one file, with its imports, and its tests in file order.
type Suite struct {
	*File
	Tests    []*Test
	scope    scope
	offered  Offers   // in addition to what the tests have answers for
	fixtures []string // in the order in which they are started
	running  fixture.Running
}

// Tests lists the tests of every suite.
func (p *Plan) Tests() []*Test {
	var all []*Test
	for _, s := range p.Suites {
		all = append(all, s.Tests...)
	}
	return all
}

// Subjects lists what the tests of a suite call, and the names of its engine blocks: what a scaffold need not add.
func (p *Plan) Subjects() map[string]bool {
	all := map[string]bool{}
	for _, t := range p.Tests() {
		if t.Engine != "" {
			all[t.Engine] = true
		}
		for _, step := range t.Steps {
			all[step.Subject] = true
		}
	}
	return all
}

// Load reads suite files. Lookup is the environment. The result includes all problems of all files.
func Load(files Files, lookup func(string) (string, bool), paths ...string) (*Plan, document.Problems) {
	plan := &Plan{}
	var problems document.Problems
	for _, path := range paths {
		l := &loader{files: files, seen: map[string]bool{}}
		file := l.file(path, nil)
		if file != nil {
			suite := &Suite{File: file, scope: scope{Variables: file.Variables, Environment: withDir(lookup, path)}}
			if files.Text {
				suite.scope.Environment = lookup
			}
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
	l.problems = append(l.problems, document.Problem{File: at.File, Line: max(at.Line, 1), Column: max(at.Column, 1),
		Message: fmt.Sprintf(format, args...)})
}

// file reads a file and those that it imports.
func (l *loader) file(path string, from *document.Position) *File {
	at := document.Position{File: path}
	if from != nil {
		at = *from
	}
	if l.seen[filepath.Clean(path)] {
		return nil // duplicate imports are read once
	}
	l.seen[filepath.Clean(path)] = true
	if len(l.seen) > maxImports {
		l.wrong(at, "the suite imports more than %d files", maxImports)
		return nil
	}
	file := l.read(path, at)
	if file == nil {
		return nil
	}
	for _, other := range file.Imports {
		if other.Path == "" {
			continue // which was already reported
		}
		if imported := l.file(filepath.Join(filepath.Dir(path), other.Path), &other.Position); imported != nil {
			file.join(imported)
		}
	}
	return file
}

// read reads one file; at is where it was imported.
func (l *loader) read(path string, at document.Position) *File {
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
		l.wrong(document.Position{File: path}, "the file is empty, expected servers and tests (run: mcptest init "+
			"TARGET)")
		return nil
	}
	d.Decode(node, file)
	l.problems = append(l.problems, d.Problems...)
	file.Position = document.Position{File: path, Line: node.Line, Column: node.Column}
	return file
}

func unread(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("file not found: %s", path)
	}
	return err
}

// join adds the contents of another file. Definitions of this file take precedence.
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
	if f.Matrix == nil {
		f.Matrix = o.Matrix
	}
	if f.Fixtures == nil {
		f.Fixtures = map[string]*fixture.Fixture{}
	}
	for name, x := range o.Fixtures {
		if f.Fixtures[name] == nil {
			f.Fixtures[name] = x
		}
	}
	for name, v := range o.Variables {
		if f.Variables[name] == nil {
			f.Variables[name] = v
		}
	}
	f.Setup, f.Teardown = append(o.Setup, f.Setup...), append(f.Teardown, o.Teardown...)
	f.SetupPerTest = append(o.SetupPerTest, f.SetupPerTest...)
	f.Tools, f.Resources, f.Prompts = append(f.Tools, o.Tools...), append(f.Resources, o.Resources...),
		append(f.Prompts, o.Prompts...)
	f.Completions, f.Raw, f.Sequences = append(f.Completions, o.Completions...), append(f.Raw, o.Raw...),
		append(f.Sequences, o.Sequences...)
	f.ToolQuality, f.SchemaLint, f.Conform = append(f.ToolQuality, o.ToolQuality...),
		append(f.SchemaLint, o.SchemaLint...), append(f.Conform, o.Conform...)
	f.Fuzz, f.Performance, f.Coverage = append(f.Fuzz, o.Fuzz...), append(f.Performance, o.Performance...),
		append(f.Coverage, o.Coverage...)
	f.Locked, f.Find = append(f.Locked, o.Locked...), append(f.Find, o.Find...)
}
