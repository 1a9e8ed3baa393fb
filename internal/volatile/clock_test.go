package volatile

import (
	"testing"
	"time"
)

// TestSameButClocks distinguishes what follows the time from what changes by itself.
func TestSameButClocks(t *testing.T) {
	at := time.Date(2026, 11, 18, 22, 38, 22, 0, time.UTC)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"price 3", "price 3", true},
		{"2026-11-18T22:38:22Z", "2026-11-18T22:38:24Z", true},
		{"Wed Nov 18 22:38:22 2026", "Wed Nov 18 22:38:24 2026", true},
		{"10:37 PM", "10:38 PM", true},
		{`{"now":1795041502}`, `{"now":1795041504}`, true},
		{`{"now":1795041502123}`, `{"now":1795041504140}`, true},
		{`{"uptime":35}`, `{"uptime":37}`, true},
		{`{"uptime":35.27}`, `{"uptime":37.31}`, true},
		{`{"uptime_ms":35270}`, `{"uptime_ms":37290}`, true},
		{`{"nanoseconds":35270000000}`, `{"nanoseconds":37290000000}`, true},
		{"up 3 min 58 s", "up 4 min 0 s", true},
		{"up 3 min 59 s", "up 4 min 1 s", true},
		{"2 seconds left", "0 seconds left", true},
		{"updated just now", "updated 2 seconds ago", true},
		{"request f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "request 0b3f4f04-7dec-11d0-a765-00a0c91e6bf6", true},
		{"100.25", "101.50", false},
		{`{"stock":7}`, `{"stock":100}`, false},
		{`{"uptime":35,"jobs":4}`, `{"uptime":37,"jobs":9}`, false},
		{"open", "closed", false},
		{"one item", "one item\nanother item", false},
	} {
		if got := SameButClocks(c.a, c.b, at, at.Add(2*time.Second)); got != c.want {
			t.Errorf("%q and %q: got %v, expected %v", c.a, c.b, got, c.want)
		}
	}
}
