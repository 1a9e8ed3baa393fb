package load

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func TestThresholds(t *testing.T) {
	s := &Summary{Calls: 200, Errors: 3, Rate: 480, Latency: Latency{P50: 1.5, P99: 50, P999: 80, Max: 1200},
		Process: &Growth{MemoryBefore: 10 << 20, MemoryAfter: 40 << 20, HandlesBefore: 5, HandlesAfter: 9}}
	for text, want := range map[string]bool{
		"p99<50ms": false, "p99<=50ms": true, "p99 < 0.06s": true, "p99<51": true, "p99_ms<51": true,
		"p99.9<100ms": true, "max<1s": false, "p50<1500us": false, "p50<=1500us": true,
		"errors<3": false, "errors<=3": true, "errors<2%": true, "errors<1%": false, "error_percent<1.6": true,
		"rate>450": true, "rate>=500/s": false, "rate>28000/m": true,
		"memory_growth<20MB": false, "memory_growth<1GB": true, "handles_growth<5": true, "handles_growth<4": false,
		"mixed_up<=0": true,
	} {
		threshold, err := ParseThreshold(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if err := threshold.Holds(s); (err == nil) != want {
			t.Errorf("%s holds: %v; want %v", text, err, want)
		}
	}
	for _, text := range []string{"", "p99", "p99<", "p99=5ms", "p98<5ms", "p99<5MB", "p99<5parsecs", "rate<5ms",
		"errors<1MB", "p99<1.2.3ms", "p99<-1ms"} {
		if _, err := ParseThreshold(text); err == nil ||
			!strings.Contains(err.Error(), "expected") && !strings.Contains(err.Error(), "is not a valid value") {
			t.Errorf("ParseThreshold(%q): %v; want what is wrong", text, err)
		}
	}
	threshold, _ := ParseThreshold("memory_growth<1GB")
	if threshold.Holds(&Summary{}) == nil {
		t.Error("a threshold holds of what was not measured")
	}
}

func TestGrowth(t *testing.T) {
	series := func(f func(i int) wire.Usage) (all []wire.Usage) {
		for i := range 40 {
			all = append(all, f(i))
		}
		return all
	}
	const mb = 1 << 20
	for name, c := range map[string]struct {
		samples         []wire.Usage
		memory, handles bool
	}{
		"none":    {nil, false, false},
		"too few": {[]wire.Usage{{Memory: 1}, {Memory: 900 * mb, Handles: 90}}, false, false},
		"steady": {series(func(int) wire.Usage { return wire.Usage{Memory: 90 * mb, Handles: 12} }), false,
			false},
		"a leak of both": {series(func(i int) wire.Usage {
			return wire.Usage{Memory: int64(50+2*i) * mb,
				Handles: 10 + i}
		}), true, true},
		"a warm-up": {series(func(i int) wire.Usage {
			return wire.Usage{Memory: int64(min(50+10*i, 150)) * mb, Handles: min(10+5*i, 40)}
		}), false, false},
		"a saw": {series(func(i int) wire.Usage {
			return wire.Usage{Memory: int64(50+10*(i%10)) * mb,
				Handles: 10 + i%10}
		}), false, false},
		"a leaking saw": {series(func(i int) wire.Usage {
			return wire.Usage{Memory: int64(50+10*(i%10)+2*i) * mb,
				Handles: 10}
		}), true, false},
	} {
		g := growthOf(c.samples)
		if g == nil {
			g = &Growth{}
		}
		if g.MemoryGrows != c.memory || g.HandlesGrow != c.handles {
			t.Errorf("%s: %+v; want memory %v, handles %v", name, *g, c.memory, c.handles)
		}
	}
}
