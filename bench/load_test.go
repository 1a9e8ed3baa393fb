package bench

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/bench/echo"
	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// generated is how many calls a second mcptest load makes at least, with a server in the same process.
const generated = 20_000

// loadPaces are the ways to make calls: so many open at once, and due at a rate that is more than it can make, so that
// what it makes is what it can.
var loadPaces = []struct {
	name string
	load.Pace
}{
	{"64 at a time", load.Pace{Concurrency: 64}},
	{"at a rate", load.Pace{Rate: 200_000, Concurrency: 256}},
}

// TestLoadGenerator measures how many calls mcptest load makes with an echo in this process, which shares the
// processors with it. Every call has a nonce that is looked for in its answer. The best of the rounds counts.
func TestLoadGenerator(t *testing.T) {
	s := openInProcess(t)
	for _, pace := range loadPaces {
		best := 0.0
		for range rounds {
			best = max(best, generate(t, s, pace.Pace, 2*roundTime).Rate)
		}
		t.Logf("%s: %.0f calls/s (bar %d)", pace.name, best, generated)
		if best < generated {
			t.Errorf("%s: %.0f calls/s, want at least %d", pace.name, best, generated)
		}
	}
}

// BenchmarkLoadGenerator is the same, to be profiled.
func BenchmarkLoadGenerator(b *testing.B) {
	for _, pace := range loadPaces {
		b.Run(pace.name, func(b *testing.B) {
			s := openInProcess(b)
			for b.Loop() {
				b.ReportMetric(generate(b, s, pace.Pace, 2*time.Second).Rate, "calls/s")
			}
		})
	}
}

func openInProcess(t testing.TB) *mcp.Session {
	t.Helper()
	serve := func(_ context.Context, in io.Reader, out io.Writer) error { echo.Serve(in, out, true); return nil }
	s, err := mcp.Connect(t.Context(), wire.Target{Name: "echo", Serve: serve}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func generate(t testing.TB, s *mcp.Session, p load.Pace, span time.Duration) *load.Summary {
	t.Helper()
	p.Duration, p.Drain = span, time.Millisecond
	echo := &load.Request{Tool: "echo", Arguments: json.RawMessage(`{"message":"` + load.Nonce + `"}`), Echoes: true}
	_, summary := load.Run(t.Context(), s, &load.Options{Pace: p, Requests: []*load.Request{echo}})
	if answered := summary.Calls - summary.Errors; summary.Checked < answered || summary.MixedUp > 0 {
		t.Fatalf("%d answered, %d checked, %d mixed up; want all checked", answered, summary.Checked, summary.MixedUp)
	}
	return summary
}

// The gateway takes 500 calls a second without losing one, most of them quickly (E9).
func TestE9GatewaySteadyLoad(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	url, _ := startGateway(t, buildMcptest(t), map[string]any{"command": self, "args": []string{echoMode, "modern"}})
	span := 5 * time.Second
	if os.Getenv("MCPTEST_FULL") != "" {
		span = 15 * time.Second
	}
	call := poster(t, url, "echo__echo")
	s := load.Drive(t.Context(), load.Pace{Rate: 500, Duration: span},
		func(ctx context.Context, _ int) error { return call(ctx) }, nil)
	t.Logf("500 calls/s for %v: p50 %v ms, p99 %v ms, %d failed", span, s.Latency.P50, s.Latency.P99, s.Errors)
	if want := int64(500 * span.Seconds()); s.Calls != want || s.Errors+s.Unsent > 0 {
		t.Errorf("%d calls, %d failed: %v; want %d and none", s.Calls, s.Errors, s.Kinds, want)
	}
	if s.Latency.P99 > 250 {
		missed(t, "p99 is %v ms, want at most 250", s.Latency.P99)
	}
}
