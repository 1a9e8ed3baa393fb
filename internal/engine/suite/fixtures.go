package suite

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
)

// withFixtures starts the fixtures of the suite with these scopes. It returns the suite with their values.
func (r *run) withFixtures(ctx context.Context, s *Suite, into *fixture.Set, scopes ...string) (*Suite, error) {
	out := *s
	if len(s.fixtures) == 0 {
		return s, nil
	}
	host := fixture.Host{Supervisor: r.opts.Supervisor, Read: func(path string) ([]byte, error) {
		data, err := r.opts.Files.Read(path)
		return data, unread(path, err)
	}}
	for _, name := range s.fixtures {
		f := s.Fixtures[name]
		if !slices.Contains(scopes, f.Lasts()) {
			continue
		}
		set, id := into, name
		if f.Lasts() == fixture.ScopeRun {
			set, id = r.fixtures, fmt.Sprintf("%s\x00%s\x00%d", name, f.File, f.Line)
		}
		in := out.scope
		a, err := set.Get(id, func() (*fixture.Active, error) { return fixture.Start(ctx, name, f, in, host) })
		if err != nil {
			return s, fmt.Errorf("%s:%d: fixture %s: %w", f.File, f.Line, name, err)
		}
		out.scope, out.running = out.scope.WithFixture(name, a.Value), append(slices.Clip(out.running), a)
	}
	return &out, nil
}

// restartFor decides when a server is restarted: at the latest when a fixture ends that it refers to.
func (s *Suite) restartFor(server *Server) string {
	restart := s.restart()
	for _, name := range s.scope.FixturesIn(server.texts()) {
		switch s.Fixtures[name].Lasts() {
		case fixture.ScopeTest:
			return fixture.ScopeTest
		case fixture.ScopeFile:
			if restart == fixture.ScopeRun {
				restart = fixture.ScopeFile
			}
		}
	}
	return restart
}
