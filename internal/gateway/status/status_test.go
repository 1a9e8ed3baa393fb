package status

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
)

// A clock stands still until it is told to go on.
type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

func newMeter() (*Meter, *clock) {
	c := &clock{time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	return &Meter{Clock: c.read}, c
}

func record(server, tool, outcome string, elapsed time.Duration) invoke.Record {
	return invoke.Record{Server: server, Tool: tool, Outcome: outcome, Elapsed: elapsed, Caller: "ada"}
}

// The rate is that of the last ten seconds, the times those of the last minute, the counts those of the whole run.
func TestFigures(t *testing.T) {
	m, c := newMeter()
	for second := range 30 {
		for range 20 {
			m.Observe(record("a", "echo", "SUCCESS", 8*time.Millisecond))
		}
		if second == 0 {
			if got := m.all.figures(c.now).PerSecond; got != 20 {
				t.Errorf("in the first second: %v calls a second, want 20", got)
			}
			m.Observe(record("b", "slow", "TimeoutError", 2*time.Second))
		}
		c.now = c.now.Add(time.Second)
	}
	got := m.all.figures(c.now)
	if got.PerSecond != 20 || got.Total != 601 || got.Errors != 1 || got.P50 < 7.5 || got.P50 > 8.5 || got.P99 < 7.5 ||
		got.P99 > 8.5 {
		t.Errorf("after 30 s: %+v, want 20 calls a second, 601 calls, 1 error, 8 ms", got)
	}
	if got := m.servers["b"].figures(c.now); got.P99 < 1850 || got.P99 > 2150 || got.PerSecond != 0 {
		t.Errorf("the slow server: %+v, want a p99 of about 2 s and no calls a second", got)
	}
	c.now = c.now.Add(2 * time.Minute)
	if got, want := m.all.figures(c.now), (Calls{Total: 601, Errors: 1}); got != want {
		t.Errorf("two minutes later: %+v, want %+v", got, want)
	}
}

// Servers and tools are told with their figures; the most called tools come first, and only so many; the last calls
// stand in the order in which they ended.
func TestFill(t *testing.T) {
	m, c := newMeter()
	for i := range 60 {
		m.Observe(record("a", "one", "SUCCESS", time.Duration(i)*time.Millisecond))
	}
	m.Observe(record("a", "two", "ValidationError", time.Millisecond))
	c.now = c.now.Add(time.Second)
	s := Status{Servers: []Server{{Name: "a"}, {Name: "b"}}, Tools: []Tool{
		{Name: "a__none", Server: "a", Tool: "none", Stale: true}, {Name: "a__two", Server: "a", Tool: "two"},
		{Name: "a__one", Server: "a", Tool: "one"}, {Name: "b__one", Server: "b", Tool: "one"},
	}}
	m.Fill(&s, 2)
	want := []Tool{{Name: "a__one", Server: "a", Tool: "one", Calls: 60, Mean: 29.5, Slowest: 59},
		{Name: "a__two", Server: "a", Tool: "two", Calls: 1, Errors: 1, Mean: 1, Slowest: 1}}
	if diff := cmp.Diff(s.Tools, want); diff != "" {
		t.Errorf("tools (-got +want):\n%s", diff)
	}
	if a, b := s.Servers[0], s.Servers[1]; a.Tools != 3 || a.Stale != 1 || a.Calls.Total != 61 || b.Tools != 1 ||
		b.Calls.Total != 0 || s.ToolCount != 4 {
		t.Errorf("servers %+v, %d tools; want 3 tools of a with 61 calls, 1 of b with none, 4 in all", s.Servers,
			s.ToolCount)
	}
	if len(s.Recent) != maxRecent || s.Recent[0].Tool != "two" || s.Recent[1].Elapsed != 59 ||
		s.Recent[maxRecent-1].Elapsed != 11 {
		t.Errorf("%d recent calls, the first %+v; want %d, the latest first", len(s.Recent), s.Recent[0], maxRecent)
	}
}

// However many tools there are, what is kept is bounded.
func TestMeterIsBounded(t *testing.T) {
	m, _ := newMeter()
	for i := range maxTools + 100 {
		m.Observe(record(fmt.Sprint("server", i), "tool", "SUCCESS", time.Millisecond))
	}
	if len(m.tools) != maxTools || len(m.servers) != maxServers || m.all.total != maxTools+100 {
		t.Errorf("%d tools, %d servers, %d calls; want %d, %d, %d", len(m.tools), len(m.servers), m.all.total, maxTools,
			maxServers, maxTools+100)
	}
}
