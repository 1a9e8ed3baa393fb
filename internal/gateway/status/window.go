package status

import (
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/latency"
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
	times  *latency.Histogram // nil before the first call
}

func (w *window) add(now time.Time, elapsed time.Duration, failed bool) {
	second := now.Unix()
	s := &w.slot[second%slots]
	if s.times == nil {
		s.times = latency.New(latency.Fine)
	}
	if s.second != second {
		s.second, s.calls = second, 0
		s.times.Reset()
	}
	if w.total == 0 {
		w.first = second
	}
	s.calls++
	s.times.Record(elapsed)
	w.total++
	if failed {
		w.errors++
	}
}

// figures summarizes the window. The rate is that of the last whole seconds, since the current one is incomplete; in
// the first second it is all there is.
func (w *window) figures(now time.Time) Calls {
	times := latency.New(latency.Fine)
	var rated int64
	second := now.Unix()
	for i := range w.slot {
		s := &w.slot[i]
		age := second - s.second
		if s.calls == 0 || age < 0 || age >= slots {
			continue
		}
		times.Add(s.times)
		if age >= 1 && age <= rateFor || second == w.first {
			rated += s.calls
		}
	}
	span := min(max(second-w.first, 1), rateFor)
	return Calls{PerSecond: float64(rated) / float64(span), P50: milliseconds(times.Quantile(0.50)),
		P99:   milliseconds(times.Quantile(0.99)),
		Total: w.total, Errors: w.errors}
}
