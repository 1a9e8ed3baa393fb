package suite

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A Matrix is the servers and protocol revisions that tests run with.
type Matrix struct {
	document.Position `yaml:"-"`

	Servers   []string `yaml:"servers" doc:"names of servers; all of the file by default" example:"[local]"`
	Protocols []string `yaml:"protocols" doc:"protocol revisions; those of the servers by default" example:"[2025-06-18, 2025-11-25]"`
}

// maxCombinations is the maximum number of combinations: each test runs once for each of them.
const maxCombinations = 100

// A combination is a server of a matrix, with the revision in its name if the matrix has revisions.
type combination struct{ server, label string }

// matrix replaces each test that names no server by one for each combination. The tests of a combination follow each
// other, since a server may allow only one process at a time.
func (l *loader) matrix(s *Suite) {
	if s.Matrix == nil {
		return
	}
	combinations, ok := l.combinations(s)
	if !ok {
		return
	}
	var all []*Test
	for _, t := range s.Tests {
		if t.Server != "" {
			all = append(all, t)
		}
	}
	for _, c := range combinations {
		for _, t := range s.Tests {
			if t.Server == "" {
				all = append(all, t.on(c))
			}
		}
	}
	s.Tests = all
}

// combinations lists those of the matrix of a file, and adds a server for each that differs from one of the file.
func (l *loader) combinations(s *Suite) (all []combination, ok bool) {
	m, before := s.Matrix, len(l.problems)
	known := slices.Sorted(maps.Keys(s.Servers))
	names := m.Servers
	if len(names) == 0 {
		names = known
	}
	for _, name := range names {
		if s.Servers[name] == nil {
			l.wrong(m.Position, "matrix: unknown server %q; %s", name, meant(name, known))
		}
	}
	for _, id := range m.Protocols {
		if !slices.Contains(spec.IDs(), id) {
			l.wrong(m.Position, "matrix: unknown protocol revision %q; %s", id, meant(id, spec.IDs()))
		}
	}
	if n := len(names) * max(1, len(m.Protocols)); n > maxCombinations {
		l.wrong(m.Position, "matrix has %d combinations, expected at most %d", n, maxCombinations)
	}
	if len(l.problems) > before {
		return nil, false
	}
	for _, name := range names {
		if len(m.Protocols) == 0 {
			all = append(all, combination{name, name})
		}
		for _, id := range m.Protocols {
			all = append(all, s.withProtocol(name, id, len(names) > 1))
		}
	}
	return all, true
}

// withProtocol adds a server with another revision.
func (s *Suite) withProtocol(name, id string, several bool) combination {
	server := *s.Servers[name]
	server.Protocol = id
	c := combination{name + ", " + id, id}
	if several {
		c.label = c.server
	}
	s.Servers[c.server] = &server
	return c
}

// on is the test with the server of a combination.
func (t *Test) on(c combination) *Test {
	one := *t
	one.Server = c.server
	suffix := " [" + strings.TrimSpace(c.label) + "]"
	one.Name, one.ID = t.Name+suffix, t.ID+suffix
	one.Steps = slices.Clone(t.Steps)
	return &one
}
