package fuzz

import (
	"testing"
	"time"
)

// TestSuspicion wants silence to be suspicious by how fast a tool is.
func TestSuspicion(t *testing.T) {
	const hang = 10 * time.Second
	for name, c := range map[string]struct {
		took []time.Duration
		want time.Duration
	}{
		"nothing is known":      {nil, hang},
		"fast":                  {[]time.Duration{1, 2, 3, 2, 1}, leastSuspicion},
		"fast but for once":     {[]time.Duration{1, 2, time.Second, 2, 1}, leastSuspicion},
		"not so fast":           {[]time.Duration{1, 2, 200 * time.Millisecond, 1, 200 * time.Millisecond}, 2 * time.Second},
		"slow":                  {[]time.Duration{1, 2, 5 * time.Second, 1, 4 * time.Second}, hang},
		"few answers are known": {[]time.Duration{1, 2}, hang},
	} {
		var p pace
		for _, d := range c.took {
			p.learn(d)
		}
		if got := p.suspicion(hang); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
