package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A load is what came of calls that were due at a steady rate, whether or not earlier ones had been answered.
type load struct {
	times  []time.Duration // from when a call was due to its answer
	failed int64
}

// p is the latency below which a share of the calls stayed.
func (l *load) p(share float64) time.Duration {
	slices.Sort(l.times)
	return l.times[min(len(l.times)-1, int(share*float64(len(l.times))))]
}

// steady makes calls at a rate for a while. The time of a call counts from when it was due: a server that stalls makes
// all calls late that were due meanwhile.
func steady(ctx context.Context, rate int, span time.Duration, call client) *load {
	var l load
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed atomic.Int64
	start := time.Now()
	for i := range int(float64(rate) * span.Seconds()) {
		due := start.Add(time.Duration(i) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due))
		wg.Go(func() {
			if err := call(ctx); err != nil {
				failed.Add(1)
				return
			}
			mu.Lock()
			l.times = append(l.times, time.Since(due))
			mu.Unlock()
		})
	}
	wg.Wait()
	l.failed = failed.Load()
	return &l
}

// The gateway takes 500 calls a second without losing one, most of them quickly (E9).
func TestE9GatewaySteadyLoad(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "mcptest")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/mcptest").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	url, _ := startGateway(t, binary, map[string]any{"command": self, "args": []string{echoMode, "modern"}})
	span := 5 * time.Second
	if os.Getenv("MCPTEST_FULL") != "" {
		span = 15 * time.Second
	}
	want := int(500 * span.Seconds())
	l := steady(t.Context(), 500, span, poster(t, url, "echo__echo"))
	t.Logf("500 calls/s for %v: p50 %v, p99 %v, %d failed", span, l.p(.5), l.p(.99), l.failed)
	if l.failed > 0 || len(l.times) != want {
		t.Errorf("%d answered, %d failed; want %d and none", len(l.times), l.failed, want)
	}
	if l.p(.99) > 250*time.Millisecond {
		missed(t, "p99 is %v, want at most 250ms", l.p(.99))
	}
}

// The generator sees a server that stalls: it does not wait with the calls that are due meanwhile (E9).
func TestE9GeneratorSeesAStall(t *testing.T) {
	var turn sync.Mutex
	n := 0
	l := steady(t.Context(), 200, 2*time.Second, func(context.Context) error {
		turn.Lock()
		defer turn.Unlock()
		if n++; n == 100 {
			time.Sleep(time.Second)
		}
		if n == 300 {
			return errors.New("one fails")
		}
		return nil
	})
	if l.p(.99) < 900*time.Millisecond || l.p(.8) < 300*time.Millisecond || l.p(.2) > 100*time.Millisecond {
		t.Errorf("p20 %v, p80 %v, p99 %v; want a stall of a second in the upper ones", l.p(.2), l.p(.8), l.p(.99))
	}
	if l.failed != 1 || len(l.times) != 399 {
		t.Errorf("%d answered, %d failed; want 399 and 1", len(l.times), l.failed)
	}
}
