package bench

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
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
		g, err := fuzz.NewGenerator("echo", json.RawMessage(fuzzInput), uint64(round)+1)
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
	if best > caseTime {
		t.Errorf("a case takes %v to make, want at most %v", best, caseTime)
	}
}

// TestFuzzSpeed holds a fuzz run against a bare loop of the same client on the same echo server, turn by turn. The median
// of the turns counts: what else the machine does falls on both sides of a turn.
func TestFuzzSpeed(t *testing.T) {
	target := func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{Name: "echo", Command: echoCommand(t, "legacy")}, nil, nil)
	}
	const calls = 3000
	var shares []float64
	for range 11 {
		bare := bareRate(t, target, calls)
		shares = append(shares, fuzzRate(t, target, calls)/bare)
	}
	slices.Sort(shares)
	share := shares[len(shares)/2]
	t.Logf("fuzzing makes %.2f of the calls of a bare loop (%.2f to %.2f; bar %.2f)", share, shares[0], shares[len(shares)-1], fuzzShare)
	if share < fuzzShare {
		missed(t, "fuzzing makes %.2f of the calls of a bare loop, want %.2f", share, fuzzShare)
	}
}

func bareRate(t *testing.T, open func(context.Context) (*mcp.Session, error), calls int) float64 {
	t.Helper()
	s, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	list, err := s.List(t.Context(), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := list.Find("anything")
	input, _ := schema.Get(tool.Raw, "/inputSchema")
	g, err := fuzz.NewGenerator("anything", input, 1)
	if err != nil {
		t.Fatal(err)
	}
	var params []json.RawMessage // the same calls, made beforehand
	for range calls {
		params = append(params, json.RawMessage(`{"name":"anything","arguments":`+string(g.Next().Arguments)+`}`))
	}
	start := time.Now()
	for _, p := range params {
		if _, err := s.Do(t.Context(), mcp.Request{Method: "tools/call", Params: p}); err != nil {
			t.Fatal(err)
		}
	}
	return float64(calls) / time.Since(start).Seconds()
}

func fuzzRate(t *testing.T, open func(context.Context) (*mcp.Session, error), calls int) float64 {
	t.Helper()
	var first, last time.Time
	_, err := fuzz.Run(t.Context(), fuzz.Options{Open: open, Seed: 1, Cases: calls, Tools: []string{"anything"},
		May: func(json.RawMessage) (bool, string) { return true, "" },
		Step: func(done, _, _ int, _ string) {
			if last = time.Now(); done == 1 {
				first = last
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return float64(calls-1) / last.Sub(first).Seconds()
}
