package conform

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestWaitsOverlap runs every check on a server that is as slow as real ones are: each start takes half a second, a tool
// works for longer than a request may take, and malformed parameters are never answered. By a clock that stands while anybody
// works, the run takes little more than the patience with the tool: the rest is waited for meanwhile.
func TestWaitsOverlap(t *testing.T) {
	t.Parallel()
	slow := exemplar.Server{Input: func(_ *exemplar.Line, line []byte) bool { return bytes.Contains(line, []byte(`"params":["mcptest"]`)) }}
	onCall("echo", func(c *exemplar.Call) {
		select {
		case <-time.After(10 * time.Second):
		case <-c.Ctx.Done():
		}
	})(&slow)
	starts := make(chan struct{}, 1000)
	slow.Start = func(*exemplar.Line) {
		starts <- struct{}{}
		time.Sleep(500 * time.Millisecond)
	}
	target := wire.Target{Name: "slow", Serve: slow.Serve}
	var took time.Duration
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		out, err := Run(context.Background(), target, &Options{Protocol: "2025-11-25", AllowCalls: true})
		if err != nil {
			t.Error(err)
			return
		}
		for _, r := range out.Report.Results {
			if status := r.Status(); status == finding.Broken || status == finding.Failed && r.Rule != "RPC-016" {
				t.Errorf("%s %s: %s%s; want a slow server judged like any other", r.Rule, status, r.Broken, shown(r.Findings))
			}
		}
		took = time.Since(began)
	})
	const most, mostStarts = 7 * time.Second, 12
	if took > most {
		t.Errorf("the run took %v, want at most %v", took, most)
	}
	if got := len(starts); got > mostStarts {
		t.Errorf("the server was started %d times, want at most %d", got, mostStarts)
	}
}
