package bench

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How the two clients are compared: in turns, so that what else the machine does falls on both, and by their best
// rounds, which it disturbed the least.
const (
	rounds    = 5
	roundTime = 250 * time.Millisecond
)

// eras and workers are what the comparison is made for.
var (
	eras    = []string{"legacy", "modern"}
	workers = []int{1, 32}
)

// TestCallsPerSecond fails when our client makes fewer calls over stdio than that of the Go SDK.
func TestCallsPerSecond(t *testing.T) {
	for _, era := range eras {
		for _, n := range workers {
			t.Run(fmt.Sprintf("%s/%d", era, n), func(t *testing.T) {
				our, their := compare(t, era, n, rounds)
				t.Logf("%s era, %2d at a time: %7.0f calls/s, Go SDK %7.0f calls/s, ratio %.2f", era, n, our, their,
					our/their)
				if our < their {
					t.Errorf("%.0f calls/s, want at least the Go SDK's %.0f", our, their)
				}
			})
		}
	}
}

// BenchmarkCallsPerSecond reports both sides of one run and their ratio.
func BenchmarkCallsPerSecond(b *testing.B) {
	for _, era := range eras {
		for _, n := range workers {
			b.Run(fmt.Sprintf("%s/%d", era, n), func(b *testing.B) {
				for b.Loop() {
					our, their := compare(b, era, n, rounds)
					b.ReportMetric(our, "calls/s")
					b.ReportMetric(their, "sdk-calls/s")
					b.ReportMetric(our/their, "ratio")
				}
			})
		}
	}
}

// BenchmarkCall is one call of ours, to be profiled.
func BenchmarkCall(b *testing.B) {
	for _, era := range eras {
		b.Run(era, func(b *testing.B) {
			call := ours(b, era, wire.NewTranscript(nil))
			b.ReportAllocs()
			for b.Loop() {
				if err := call(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// compare lets both clients call in turns and returns the best rate of each.
func compare(t testing.TB, era string, workers, rounds int) (our, their float64) {
	t.Helper()
	us, them := ours(t, era, wire.NewTranscript(nil)), theirs(t, era)
	for range rounds {
		our = max(our, rate(t, us, workers))
		their = max(their, rate(t, them, workers))
	}
	return our, their
}

// rate is how many calls a second a client makes with so many workers.
func rate(t testing.TB, call client, workers int) float64 {
	t.Helper()
	var done atomic.Int64
	var failure atomic.Value
	var wg sync.WaitGroup
	start := time.Now()
	for range workers {
		wg.Go(func() {
			for time.Since(start) < roundTime {
				if err := call(context.Background()); err != nil {
					failure.Store(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if err := failure.Load(); err != nil {
		t.Fatal(err)
	}
	return float64(done.Load()) / time.Since(start).Seconds()
}
