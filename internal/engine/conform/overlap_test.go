package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestWaitsOverlap runs every check on a server that is as slow as real ones are: each start takes half a second, a
// tool works for longer than a request may take, and malformed parameters are never answered. By a clock that stands
// while anybody works, the run takes little more than the patience with the tool: the rest is waited for meanwhile.
func TestWaitsOverlap(t *testing.T) {
	t.Parallel()
	slow := exemplar.Server{Input: func(_ *exemplar.Line,
		line []byte) bool {
		return bytes.Contains(line, []byte(`"params":["mcptest"]`))
	}}
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
	took := timed(t, slow.Serve, "RPC-016")
	const most, maxStarts = 7 * time.Second, 12
	if took > most {
		t.Errorf("the run took %v, want at most %v", took, most)
	}
	if got := len(starts); got > maxStarts {
		t.Errorf("the server was started %d times, want at most %d", got, maxStarts)
	}
}

// TestDeafnessIsShort runs every check on a server that hears nothing more after a line that it cannot read. The checks
// that send such lines, one after the other to a server that bears them, wait for this one side by side.
func TestDeafnessIsShort(t *testing.T) {
	t.Parallel()
	var deaf exemplar.Server
	deafAfter(func(line []byte) bool { return !json.Valid(line) })(&deaf)
	took := timed(t, deaf.Serve, "RPC-005", "STDIO-004")
	if most := 10 * time.Second; took > most {
		t.Errorf("the run took %v, want at most %v", took, most)
	}
}

// timed runs every check by a clock that stands while anybody works, and tells how long it took. Only the named ones
// find something.
func timed(t *testing.T, serve func(context.Context, io.Reader, io.Writer) error,
	expected ...string) (took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		out, err := Run(context.Background(), wire.Target{Name: "slow", Serve: serve},
			&Options{Protocol: "2025-11-25", Permit: safety.Permit{All: true}})
		if err != nil {
			t.Error(err)
			return
		}
		took = time.Since(began)
		for _, r := range out.Report.Results {
			wrong := r.Status() == finding.Failed
			if r.Status() == finding.Broken || wrong != slices.Contains(expected, r.Rule) {
				t.Errorf("%s %s: %s%s", r.Rule, r.Status(), r.Broken, shown(r.Findings))
			}
		}
	})
	return took
}
