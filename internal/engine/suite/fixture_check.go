package suite

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
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
	l.texts(s.scope, f.Position, f.Texts()...)
	l.output(f.Position, f.WaitFor)
	for _, other := range s.scope.FixturesIn(f.Texts()) {
		if other == name {
			if len(f.Command) == 0 {
				l.wrong(f.Position, "fixture %q refers to itself", name)
			}
			continue // the port of a process
		}
		if lasting(s.Fixtures[other]) < lasting(f) {
			l.wrong(f.Position, "fixture %q has the scope %s, and refers to %q with the scope %s: expected one that lasts "+
				"as long", name, f.Lasts(), other, s.Fixtures[other].Lasts())
		}
		l.order(s, other, added, append(slices.Clone(path), name))
	}
	if !added[name] {
		added[name] = true
		s.fixtures = append(s.fixtures, name)
	}
}

// output finds a regular expression that is invalid.
func (l *loader) output(at document.Position, w *fixture.WaitFor) {
	if w == nil {
		return
	}
	if _, err := regexp.Compile(w.Output); err != nil {
		l.wrong(at, "wait_for: output: %v", err)
	}
}

// lasting compares scopes: a greater number lasts longer.
func lasting(f *fixture.Fixture) int {
	return slices.Index([]string{fixture.ScopeTest, fixture.ScopeFile, fixture.ScopeRun}, f.Lasts())
}

// perTest finds references to fixtures that exist only during a test, in what runs once for a file.
func (l *loader) perTest(s *Suite) {
	for _, h := range slices.Concat(s.Setup, s.Teardown) {
		for _, name := range s.scope.FixturesIn(h.Texts()) {
			if s.Fixtures[name].Lasts() == fixture.ScopeTest {
				l.wrong(h.Position, "fixture %q has the scope test, but setup and teardown run once for the file", name)
			}
		}
	}
}
