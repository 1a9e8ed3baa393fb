package bench

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// What fuzzing may cost beside the calls themselves.
const (
	fuzzShare = 0.70                  // of the calls a second of a bare loop
	caseTime  = 20 * time.Microsecond // to make one case
)

const fuzzInput = `{"type":"object","properties":{"message":{"type":"string","maxLength":200},"times":{"type":"integer","minimum":1,"maximum":5},
	"style":{"type":"string","enum":["plain","loud"]},"tags":{"type":"array","items":{"type":"string","maxLength":20},"maxItems":5}},"required":["message"]}`

// TestFuzzCases measures how long one case takes to make. The best of five rounds counts.
func TestFuzzCases(t *testing.T) {
	best := time.Hour
	for round := range 5 {
		g, err := cases.NewGenerator("echo", json.RawMessage(fuzzInput), uint64(round)+1, cases.Care{})
		if err != nil {
			t.Fatal(err)
		}
		const cases = 20_000
		start := time.Now()
		for range cases {
			if c := g.Next(); len(c.Arguments) == 0 {
				t.Fatal("a case without arguments")
			}
		}
		best = min(best, time.Since(start)/cases)
	}
	t.Logf("a case takes %v to make", best)
	checkTime(t, "making a case", best, caseTime)
}

// speedTries is how often the speed is measured at most; the best counts.
const speedTries = 3

// TestFuzzSpeed holds a fuzz run against a bare loop of the same client on the same echo server.
func TestFuzzSpeed(t *testing.T) {
	best := 0.0
	for try := 0; try < speedTries && best < fuzzShare; try++ {
		best = max(best, shareOfBare(t))
	}
	switch {
	case best < fuzzShare/noiseFactor:
		t.Errorf("fuzzing makes %.2f of the calls of a bare loop, want %.2f", best, fuzzShare)
	case best < fuzzShare:
		missed(t, "fuzzing makes %.2f of the calls of a bare loop, want %.2f", best, fuzzShare)
	}
}

// shareOfBare is the share of the calls of a bare loop that a fuzz run makes. Both go on in turns of a few
// milliseconds, and of each the tenth counts that was disturbed the least: what else the machine does is left out.
func shareOfBare(t *testing.T) float64 {
	t.Helper()
	open := func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{Name: "echo", Command: echoCommand(t, "legacy")}, nil, nil)
	}
	const turns, calls = 300, 100
	turn := bareTurns(t, open, calls)
	var bare, ours []time.Duration
	var mark time.Time
	_, err := fuzz.Run(t.Context(), fuzz.Options{Open: open, Seed: 1, Cases: (turns + 1) * calls,
		Tools: []string{"anything"},
		May:   func(json.RawMessage) safety.Verdict { return safety.Verdict{Calls: safety.Unlimited} },
		Step: func(done, _, _ int, _ string) {
			if done%calls != 0 {
				return
			}
			if done > calls {
				ours = append(ours, time.Since(mark))
				bare = append(bare, turn())
			}
			mark = time.Now()
		}})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(bare)
	slices.Sort(ours)
	undisturbed := len(ours) / 10
	share := bare[undisturbed].Seconds() / ours[undisturbed].Seconds()
	t.Logf("fuzzing makes %.2f of the calls of a bare loop (bar %.2f; the medians: %.2f), which takes %v a call", share,
		fuzzShare,
		bare[len(bare)/2].Seconds()/ours[len(ours)/2].Seconds(), bare[undisturbed]/calls)
	return share
}

// bareTurns makes the same calls as a fuzz run, some at a time, and says how long they take.
func bareTurns(t *testing.T, open func(context.Context) (*mcp.Session, error), calls int) func() time.Duration {
	t.Helper()
	s, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	list, err := s.List(t.Context(), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := list.Find("anything")
	input, _ := schema.Get(tool.Raw, "/inputSchema")
	g, err := cases.NewGenerator("anything", input, 1, cases.Care{})
	if err != nil {
		t.Fatal(err)
	}
	for range calls {
		g.Next() // the first turn is not counted
	}
	return func() time.Duration {
		var params []json.RawMessage // made beforehand
		for range calls {
			params = append(params, json.RawMessage(`{"name":"anything","arguments":`+string(g.Next().Arguments)+`}`))
		}
		start := time.Now()
		for _, p := range params {
			if _, err := s.Do(t.Context(), mcp.Request{Method: "tools/call", Params: p}); err != nil {
				t.Error(err)
			}
		}
		return time.Since(start)
	}
}
