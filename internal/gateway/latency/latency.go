// Package latency counts the durations of calls.
package latency

import (
	"iter"
	"slices"
	"time"
)

// A Histogram counts durations in buckets. It is not safe for concurrent use.
type Histogram struct {
	Sum    time.Duration
	bounds []time.Duration // the upper bound of each bucket, which belongs to it
	counts []uint64        // one more than bounds, for longer durations
}

// New returns a histogram with these upper bounds, in ascending order.
func New(bounds []time.Duration) *Histogram {
	return &Histogram{bounds: bounds, counts: make([]uint64, len(bounds)+1)}
}

// Fine are bounds an eighth of a power of two apart, from microseconds to hours: a duration differs from the middle of
// its bucket by a sixteenth at most.
var Fine = fine()

func fine() []time.Duration {
	var all []time.Duration
	for us := time.Duration(1); us < 8; us++ {
		all = append(all, us*time.Microsecond)
	}
	for step := time.Microsecond; 8*step < 24*time.Hour; step *= 2 {
		for i := range time.Duration(8) {
			all = append(all, (8+i)*step)
		}
	}
	return all
}

// Record counts one duration.
func (h *Histogram) Record(d time.Duration) {
	at, _ := slices.BinarySearch(h.bounds, d)
	h.counts[at]++
	h.Sum += d
}

// Add counts the durations of another histogram with the same bounds.
func (h *Histogram) Add(o *Histogram) {
	for i, n := range o.counts {
		h.counts[i] += n
	}
	h.Sum += o.Sum
}

// Reset removes all durations.
func (h *Histogram) Reset() {
	clear(h.counts)
	h.Sum = 0
}

// Count is the number of durations.
func (h *Histogram) Count() uint64 {
	total := uint64(0)
	for _, n := range h.counts {
		total += n
	}
	return total
}

// Cumulative returns each bound with the number of durations up to it.
func (h *Histogram) Cumulative() iter.Seq2[time.Duration, uint64] {
	return func(yield func(time.Duration, uint64) bool) {
		total := uint64(0)
		for i, bound := range h.bounds {
			if total += h.counts[i]; !yield(bound, total) {
				return
			}
		}
	}
}

// Quantile is the middle of the bucket of the q-quantile; 0 if there are no durations.
func (h *Histogram) Quantile(q float64) time.Duration {
	total := float64(h.Count())
	if total == 0 {
		return 0
	}
	lower := time.Duration(0)
	for bound, seen := range h.Cumulative() {
		if seen > 0 && float64(seen) >= q*total {
			return (lower + bound) / 2
		}
		lower = bound
	}
	return lower
}
