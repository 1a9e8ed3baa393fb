package suite

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
)

// fixtures checks the fixtures of a suite and puts them into the order in which they are started: each after those that
// it refers to.
func (l *loader) fixtures(s *Suite) {
	for _, name := range slices.Sorted(maps.Keys(s.Fixtures)) {
		f := s.Fixtures[name]
		switch {
		case !variables.IsName(name):
			l.wrong(f.Position, "fixture %q: expected a name of letters, digits and underscores", name)
		case s.Variables[name] != nil:
			l.wrong(f.Position, "fixture %q: a variable has the same name", name)
		}
		s.scope = s.scope.WithFixture(name, json.RawMessage("null"))
	}
	added := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Fixtures)) {
		l.order(s, name, added, nil)
	}
}

// order adds a fixture to the list after those that it refers to. Path has the fixtures that refer to it.
func (l *loader) order(s *Suite, name string, added map[string]bool, path []string) {
	f := s.Fixtures[name]
	if slices.Contains(path, name) {
		l.wrong(f.Position, "fixtures refer to each other: %s", strings.Join(append(path, name), " → "))
		return
	}
	if added[name] {
		return
	}
	l.texts(s.scope, f.Position, f.texts()...)
	l.output(f.Position, f.WaitFor)
	for _, other := range s.scope.FixturesIn(f.texts()) {
		if other == name {
			if len(f.Command) == 0 {
				l.wrong(f.Position, "fixture %q refers to itself", name)
			}
			continue // the port of a process
		}
		if lasting(s.Fixtures[other]) < lasting(f) {
			l.wrong(f.Position, "fixture %q has the scope %s, and refers to %q with the scope %s: expected one that lasts "+
				"as long", name, f.lasts(), other, s.Fixtures[other].lasts())
		}
		l.order(s, other, added, append(slices.Clone(path), name))
	}
	if !added[name] {
		added[name] = true
		s.fixtures = append(s.fixtures, name)
	}
}

// output finds a regular expression that is invalid.
func (l *loader) output(at document.Position, w *WaitFor) {
	if w == nil {
		return
	}
	if _, err := regexp.Compile(w.Output); err != nil {
		l.wrong(at, "wait_for: output: %v", err)
	}
}

// lasting compares scopes: a greater number lasts longer.
func lasting(f *Fixture) int {
	return slices.Index([]string{scopeTest, scopeFile, scopeRun}, f.lasts())
}

// texts are the parts of a fixture that may refer to variables and other fixtures.
func (f *Fixture) texts() []string {
	all := slices.Clone(f.Command)
	all = append(all, f.Cwd)
	all = slices.AppendSeq(all, maps.Values(f.Env))
	if f.WaitFor != nil {
		all = append(all, f.WaitFor.TCP, f.WaitFor.URL, f.WaitFor.File)
	}
	if f.Directory != nil {
		all = slices.AppendSeq(append(all, f.Directory.Copy), maps.Values(f.Directory.Files))
	}
	for _, r := range f.HTTP {
		all = slices.AppendSeq(append(all, r.Body, r.File), maps.Values(r.Headers))
		if r.JSON != nil {
			all = append(all, string(r.JSON.JSON()))
		}
	}
	return all
}

// perTest finds references to fixtures that exist only during a test, in what runs once for a file.
func (l *loader) perTest(s *Suite) {
	for _, h := range slices.Concat(s.Setup, s.Teardown) {
		for _, name := range s.scope.FixturesIn(h.texts()) {
			if s.Fixtures[name].lasts() == scopeTest {
				l.wrong(h.Position, "fixture %q has the scope test, but setup and teardown run once for the file", name)
			}
		}
	}
}
