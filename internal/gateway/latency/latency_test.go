package latency

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A duration is within a sixteenth of the middle of its bucket.
func TestFine(t *testing.T) {
	if !slices.IsSorted(Fine) {
		t.Fatalf("bounds %v, expected ascending ones", Fine)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(int64(8*time.Microsecond), int64(24*time.Hour)).Draw(t, "duration"))
		h := New(Fine)
		h.Record(d)
		if got := h.Quantile(0.5); got < d-d/16-1 || got > d+d/16+1 {
			t.Errorf("%v is shown as %v", d, got)
		}
	})
}

func TestHistogram(t *testing.T) {
	h := New([]time.Duration{10, 20, 40})
	if got := h.Quantile(0.5); got != 0 {
		t.Errorf("quantile of nothing: %d, expected 0", got)
	}
	for _, d := range []time.Duration{0, 10, 11, 20, 40, 41, 1 << 62} {
		h.Record(d)
	}
	check := func(want ...uint64) {
		t.Helper()
		var got []uint64
		for _, n := range h.Cumulative() {
			got = append(got, n)
		}
		if got = append(got, h.Count()); !slices.Equal(got, want) {
			t.Errorf("cumulative counts %v, expected %v", got, want)
		}
	}
	check(2, 4, 5, 7)
	for q, want := range map[float64]time.Duration{0.01: 5, 2. / 7: 5, 0.5: 15, 0.7: 30, 1: 40} {
		if got := h.Quantile(q); got != want {
			t.Errorf("quantile %v: %d, expected %d", q, got, want)
		}
	}
	other := New([]time.Duration{10, 20, 40})
	other.Record(15)
	sum := h.Sum
	h.Add(other)
	check(2, 5, 6, 8)
	if h.Sum != sum+15 {
		t.Errorf("sum %d, expected %d", h.Sum, sum+15)
	}
	h.Reset()
	check(0, 0, 0, 0)
	if h.Sum != 0 {
		t.Errorf("sum %d after a reset, expected 0", h.Sum)
	}
}
