package conform

import (
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestSlowStart runs what is sent to a process that was only just started on a server whose first answer takes longer
// than a request may take, as that of interpreters on a busy machine does: it is waited for, and nothing is found.
func TestSlowStart(t *testing.T) {
	t.Parallel()
	out, err := judged(t, mutant{defect: warmsUp}.target(t, "LIFE-023", OnPipe),
		&Options{Protocol: "2026-07-28", Rules: []string{"LIFE-023", "RUN-002"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		if s := r.Status(); s != finding.Passed {
			t.Errorf("%s %s: %s%s", r.Rule, s, r.Broken, shown(r.Findings))
		}
	}
}

// warmsUp takes eight seconds for the first answer of a connection, by a clock that costs nothing.
func warmsUp(s *exemplar.Server) {
	var warm sync.Map
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if _, met := warm.LoadOrStore(c.Peer, true); !met {
				time.Sleep(8 * time.Second)
			}
			return next(c)
		}
	}
}

// TestSlowRead reads a template whose server takes longer than a request may: it is not lost if it responds to a health
// check, be it at once or as soon as the read is done. A server that is stuck in the read is.
func TestSlowRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes  time.Duration
		serial bool
		lost   bool
	}{
		"waits for the network":           {takes: time.Hour},
		"does one thing at a time":        {takes: 5008 * time.Millisecond, serial: true},
		"is stuck, one thing at a time":   {takes: time.Hour, serial: true, lost: true},
		"answers in time, and one by one": {takes: time.Second, serial: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := judged(t, mutant{defect: slowReads(c.takes, c.serial)}.target(t, "RUN-002", OnPipe),
				&Options{Protocol: "2026-07-28", Rules: []string{"TMPL-005", "RUN-002"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range out.Report.Results {
				if r.Rule == "RUN-002" && (r.Status() == finding.Failed) != c.lost {
					t.Errorf("RUN-002 %s: %s%s; want lost %v", r.Status(), r.Broken, shown(r.Findings), c.lost)
				}
				if late := c.takes > 5*time.Second; r.Rule == "TMPL-005" && (r.Broken != "") != late {
					t.Errorf("TMPL-005 %s: %q; want broken %v", r.Status(), r.Broken, late)
				}
			}
		})
	}
}

// slowReads takes long for each resources/read, and goes on after its cancellation; serial requests wait for each other.
func slowReads(takes time.Duration, serial bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		type line struct{ turn, ended chan bool }
		var mu sync.Mutex
		lines := map[*exemplar.Peer]*line{}
		of := func(p *exemplar.Peer) *line {
			mu.Lock()
			defer mu.Unlock()
			if lines[p] == nil {
				lines[p] = &line{make(chan bool, 1), make(chan bool)}
			}
			return lines[p]
		}
		s.End = func(l *exemplar.Line) { close(of(l.Peer).ended) }
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				l := of(c.Peer)
				if serial {
					select {
					case l.turn <- true:
						defer func() { <-l.turn }()
					case <-l.ended:
						return nil
					}
				}
				if c.Method == "resources/read" {
					select {
					case <-time.After(takes):
					case <-l.ended:
						return nil
					}
				}
				return next(c)
			}
		}
	}
}

// startsSlowly delays the handshake of the first connection and that of each later one.
func startsSlowly(s *exemplar.Server, first, later time.Duration) {
	var mu sync.Mutex
	started := map[*exemplar.Peer]bool{}
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			mu.Lock()
			takes := time.Duration(0)
			if !started[c.Peer] {
				if takes = later; len(started) == 0 {
					takes = first
				}
				started[c.Peer] = true
			}
			mu.Unlock()
			if c.Method == "initialize" || c.Method == "server/discover" {
				time.Sleep(takes)
			}
			return next(c)
		}
	}
}

// TestBusyStart has a first start that takes long and others that do not, since the machine was busy, and a server whose
// starts all take long.
func TestBusyStart(t *testing.T) {
	t.Parallel()
	for later, want := range map[time.Duration]finding.Status{4 * time.Second: finding.Passed, 14 * time.Second: finding.Failed} {
		slow := func(s *exemplar.Server) { startsSlowly(s, 14*time.Second, later) }
		out, err := judged(t, mutant{defect: slow}.target(t, "LIFE-013", OnPipe),
			&Options{Protocol: "2026-07-28", Rules: []string{"LIFE-013"}})
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report.Results[0]; r.Status() != want {
			t.Errorf("%v later: LIFE-013 %s: %s%s; want %s", later, r.Status(), r.Broken, shown(r.Findings), want)
		}
	}
}
