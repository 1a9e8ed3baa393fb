package status

import (
	"math/bits"
	"time"
)

// The time span of a window.
const (
	slots   = 60 // seconds for the durations
	rateFor = 10 // whole seconds for the rate
)

// A window holds the calls of the last minute, one slot per second.
type window struct {
	slot          [slots]slot
	first         int64 // the second of the first call
	total, errors int64
}

// A slot is the calls that ended in one second.
type slot struct {
	second int64
	calls  int64
	times  histogram
}

func (w *window) add(now time.Time, elapsed time.Duration, failed bool) {
	second := now.Unix()
	s := &w.slot[second%slots]
	if s.second != second {
		*s = slot{second: second}
	}
	if w.total == 0 {
		w.first = second
	}
	s.calls++
	s.times[bucket(elapsed)]++
	w.total++
	if failed {
		w.errors++
	}
}

// figures summarizes the window. The rate is that of the last whole seconds, since the current one is incomplete; in
// the first second it is all there is.
func (w *window) figures(now time.Time) Calls {
	var times histogram
	var rated int64
	second := now.Unix()
	for i := range w.slot {
		s := &w.slot[i]
		age := second - s.second
		if s.calls == 0 || age < 0 || age >= slots {
			continue
		}
		times.add(&s.times)
		if age >= 1 && age <= rateFor || second == w.first {
			rated += s.calls
		}
	}
	span := min(max(second-w.first, 1), rateFor)
	return Calls{PerSecond: float64(rated) / float64(span), P50: milliseconds(times.quantile(0.50)), P99: milliseconds(times.quantile(0.99)),
		Total: w.total, Errors: w.errors}
}

// A histogram counts durations in buckets that are an eighth of a power of two wide, from microseconds to hours.
type histogram [8 * 36]uint32

func bucket(d time.Duration) int {
	us := uint64(max(d.Microseconds(), 0))
	if us < 8 {
		return int(us)
	}
	exponent := bits.Len64(us) - 4
	return min(8*exponent+int(us>>exponent), len(histogram{})-1)
}

// middle is the midpoint of a bucket.
func middle(bucket int) time.Duration {
	if bucket < 8 {
		return time.Duration(bucket) * time.Microsecond
	}
	exponent := bucket/8 - 1
	low := uint64(8+bucket%8) << exponent
	return time.Duration(low+(uint64(1)<<exponent)/2) * time.Microsecond
}

func (h *histogram) add(o *histogram) {
	for i, n := range o {
		h[i] += n
	}
}

// quantile is the q-quantile of the durations; 0 if there are none.
func (h *histogram) quantile(q float64) time.Duration {
	total := uint64(0)
	for _, n := range h {
		total += uint64(n)
	}
	seen := uint64(0)
	for i, n := range h {
		seen += uint64(n)
		if n > 0 && float64(seen) >= q*float64(total) {
			return middle(i)
		}
	}
	return 0
}
