package fuzz

import (
	"context"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

// TestSuspicion wants silence to be suspicious by how fast a tool is.
func TestSuspicion(t *testing.T) {
	const hang = 10 * time.Second
	for name, c := range map[string]struct {
		took []time.Duration
		want time.Duration
	}{
		"nothing is known":  {nil, hang},
		"fast":              {[]time.Duration{1, 2, 3, 2, 1}, minHangSuspicion},
		"fast but for once": {[]time.Duration{1, 2, time.Second, 2, 1}, minHangSuspicion},
		"not so fast": {[]time.Duration{1, 2, 200 * time.Millisecond, 1, 200 * time.Millisecond},
			2 * time.Second},
		"slow":                  {[]time.Duration{1, 2, 5 * time.Second, 1, 4 * time.Second}, hang},
		"few answers are known": {[]time.Duration{1, 2}, hang},
	} {
		var p latencyStats
		for _, d := range c.took {
			p.learn(d)
		}
		if got := p.suspicion(hang); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestSlowToolIsSetAside wants a tool to be left out that all others wait for, unless it was named or there is a time.
func TestSlowToolIsSetAside(t *testing.T) {
	slow := func() *fuzzTarget {
		return &fuzzTarget{name: "report", spent: maxSpent, latency: latencyStats{answers: 5}}
	}
	for name, c := range map[string]struct {
		opts Options
		tool *fuzzTarget
		want bool
	}{
		"slow":                {tool: slow(), want: true},
		"named":               {opts: Options{Tools: []string{"report"}}, tool: slow()},
		"with a time alone":   {opts: Options{Duration: time.Hour, Cases: anyCases}, tool: slow()},
		"a time and a number": {opts: Options{Duration: time.Hour, Cases: 300}, tool: slow(), want: true},
		"fast, but called often": {tool: &fuzzTarget{name: "report", spent: 2 * maxSpent,
			latency: latencyStats{answers: 1000}}},
		"slow so far": {tool: &fuzzTarget{name: "report", spent: maxSpent - 1,
			latency: latencyStats{answers: 2}}},
	} {
		r := newRunner(c.opts)
		r.skipSlow(c.tool)
		if got := c.tool.isSkipped(); got != c.want || (r.skipped["report"] != "") != c.want {
			t.Errorf("%s: set aside %v, left out %v; want %v", name, got, r.skipped, c.want)
		}
	}
}

// The first response of a session says nothing about a tool: the server may load modules only then. The next session
// gets more time for it.
func TestFirstResponseOfASession(t *testing.T) {
	r := newRunner(Options{Hang: 10 * time.Second})
	tool := &fuzzTarget{name: "report"}
	for range 3 {
		r.warmup.cold = true
		for _, took := range []time.Duration{time.Second, 1, 2, 3} {
			r.recordLatency(tool, took)
		}
	}
	if got := r.waits(tool); got != minHangSuspicion {
		t.Errorf("got %v, expected %v", got, minHangSuspicion)
	}
	r.warmup.cold = true
	if got, want := r.waits(tool), minHangSuspicion+warmTimes*time.Second; got != want {
		t.Errorf("the first call of a session: got %v, expected %v", got, want)
	}
	r.warmup.longest = time.Minute
	if got := r.waits(tool); got != r.opts.Hang {
		t.Errorf("got %v, expected at most %v", got, r.opts.Hang)
	}
}

// A call without a response is repeated although only the first session was ready when the run began, and each other takes
// longer to open than the time for one defect.
func TestHangOfAServerThatStartsSlowly(t *testing.T) {
	t.Parallel()
	for _, c := range planted.Creatures() {
		if c.Rule != hangRule || c.Stateful {
			continue
		}
		open, ready := openCreature(c), true
		result, err := Run(t.Context(), Options{May: anyTool, Seed: 1, Cases: 300, Duration: 5 * time.Second, Hang: 3 * time.Second,
			Shrink: 100 * time.Millisecond, Open: func(ctx context.Context) (*mcp.Session, error) {
				if !ready {
					select {
					case <-time.After(4 * time.Second):
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				}
				ready = false
				return open(ctx)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if found := of(result, hangRule); found == nil || !found.Repeats {
			t.Errorf("%s: got %v, expected %s", c.Name, result.Report.Findings(), hangRule)
		}
		return
	}
	t.Fatal("no such server")
}
