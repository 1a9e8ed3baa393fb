package bench

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

// What it may take to find a planted defect and to be sure of it.
const (
	findCases = 500
	findTime  = 3 * time.Second
	findTries = 3 // of which the best counts: the machine may stand still for a moment
)

// TestFuzzFinds measures how long it takes to find each planted defect: from the start of the run to the moment at
// which it was shown again on a session of its own. Making it smaller comes after that.
func TestFuzzFinds(t *testing.T) {
	var slowest time.Duration
	for _, c := range planted.Creatures() {
		best := time.Hour
		for try := 0; try < findTries && best > findTime; try++ {
			best = min(best, timeToFind(t, c))
		}
		checkTime(t, "finding: "+c.Name, best, findTime)
		slowest = max(slowest, best)
	}
	t.Logf("the slowest of %d planted defects is found after %v (bar %v)", len(planted.Creatures()),
		slowest.Round(time.Millisecond), findTime)
}

// timeToFind runs the fuzzer with its defaults until it has found something.
func timeToFind(t *testing.T, c planted.Creature) time.Duration {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	argv, env := c.Command(false)
	start, took, made := time.Now(), time.Hour, ""
	result, err := fuzz.Run(ctx, fuzz.Options{Seed: 1, Cases: findCases, Stateful: c.Stateful, Wire: c.Wire,
		Open: func(ctx context.Context) (*mcp.Session, error) {
			return mcp.Connect(ctx, wire.Target{Command: argv, Env: append(os.Environ(), env)}, nil,
				&mcp.Options{Protocol: "2025-06-18"})
		},
		May: func(json.RawMessage) safety.Verdict { return safety.Verdict{Calls: safety.Unlimited} },
		Step: func(_, _, findings int, doing string) {
			if findings > 0 && ctx.Err() == nil {
				took, made = time.Since(start), doing
				cancel()
			}
		}})
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	switch {
	case len(result.Found) == 0 && strings.HasSuffix(made, c.Rule+": minimizing"):
		// A run that is stopped while it makes sure of a silence does not report it.
	case len(result.Found) != 1 || result.Found[0].Rule.ID != c.Rule:
		t.Errorf("%s: got %v, want %s", c.Name, result.Report.Findings(), c.Rule)
	case result.Found[0].Cases > findCases:
		t.Errorf("%s: found after %d cases, want at most %d", c.Name, result.Found[0].Cases, findCases)
	}
	t.Logf("%-40s %v", c.Name, took.Round(time.Millisecond))
	return took
}
