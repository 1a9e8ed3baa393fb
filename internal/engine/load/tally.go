package load

import (
	"errors"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Limits of the counters.
const (
	highest   = int64(time.Hour / time.Microsecond) // longer times count as this one
	digits    = 3
	maxKinds  = 20      // of failures; further ones are counted together
	maxUnsent = 100_000 // records made of calls that were not sent
	maxPoints = 2000

	fewSilent = 5 // consecutive calls without a response while none is in flight
)

// A stats counts calls. Its methods are safe for concurrent use.
type stats struct {
	start    time.Time
	interval time.Duration // of the series

	mu           sync.Mutex
	latency      *hdrhistogram.Histogram // microseconds
	late         *hdrhistogram.Histogram // delay before calls were sent
	now          *hdrhistogram.Histogram // of the current interval
	series       []Point
	point        Point // of the current interval
	sent         int64
	ended        int64
	failed       int64
	skipped      int64
	kinds        []Kind
	spoke        time.Time // when the last response arrived, or a call was sent after a response with none in flight
	silent       int       // calls that ended without a response since then
	lastEnd      time.Time
	reportedAt   time.Time
	reportedDone int64
}

func newTally(p Pace, start time.Time) *stats {
	return &stats{start: start, spoke: start, lastEnd: start, reportedAt: start,
		interval: max(p.Duration/60, 100*time.Millisecond),
		latency:  newHistogram(), late: newHistogram(), now: newHistogram()}
}

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, highest, digits) }

// micros is a duration in the units of the histograms.
func micros(d time.Duration) int64 { return min(max(int64(d/time.Microsecond), 0), highest) }

// begin counts a call that is being sent.
func (t *stats) begin(due, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sent == t.ended && t.silent == 0 {
		t.spoke = now
	}
	t.sent++
	_ = t.late.RecordValue(micros(now.Sub(due)))
}

// end counts the outcome of a call.
func (t *stats) end(due, now time.Time, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended++
	t.lastEnd = now
	t.advance(now)
	t.point.Calls++
	var f *Failure
	if err != nil {
		t.failed++
		t.point.Errors++
		if !errors.As(err, &f) {
			f = &Failure{Kind: "failed", Message: err.Error()}
		}
		t.kind(f)
	}
	if f != nil && f.Silent {
		t.silent++
	} else {
		t.spoke, t.silent = now, 0
	}
	if f != nil && f.Early {
		return
	}
	took := micros(now.Sub(due))
	_ = t.latency.RecordValue(took)
	_ = t.now.RecordValue(took)
}

// drop removes a call that was counted by begin.
func (t *stats) drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent--
}

// unsent counts the calls from number n on that are due by now and will not be sent.
func (t *stats) unsent(p Pace, n int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	since, total := now.Sub(t.start), p.Calls()
	first := n
	for n < total && p.due(n) <= since {
		n++
	}
	step := max(1, (n-first)/maxUnsent)
	for i := first; i < n; i += step {
		_ = t.latency.RecordValues(micros(since-p.due(i)), int64(min(step, n-i)))
	}
	t.skipped += int64(n - first)
}

func (t *stats) kind(f *Failure) {
	for i := range t.kinds {
		if t.kinds[i].Name == f.Kind {
			t.kinds[i].Count++
			return
		}
	}
	if len(t.kinds) >= maxKinds {
		f = &Failure{Kind: "other"}
		if t.kinds[maxKinds-1].Name == f.Kind {
			t.kinds[maxKinds-1].Count++
			return
		}
		t.kinds[maxKinds-1] = Kind{Name: f.Kind, Count: t.kinds[maxKinds-1].Count}
	} else {
		t.kinds = append(t.kinds, Kind{Name: f.Kind, Example: f.Message})
	}
	t.kinds[len(t.kinds)-1].Count++
}

// advance closes the intervals of the series that have ended.
func (t *stats) advance(now time.Time) {
	index := min(int(now.Sub(t.start)/t.interval), maxPoints)
	for len(t.series) < index {
		t.flush()
	}
}

func (t *stats) flush() {
	p := t.point
	p.Seconds = (time.Duration(len(t.series)+1) * t.interval).Seconds()
	p.Rate = float64(p.Calls) / t.interval.Seconds()
	if t.now.TotalCount() > 0 {
		p.P50, p.P95, p.P99, p.Max = millis(t.now.ValueAtQuantile(50)), millis(t.now.ValueAtQuantile(95)),
			millis(t.now.ValueAtQuantile(99)), millis(t.now.Max())
		t.now.Reset()
	}
	t.series, t.point = append(t.series, p), Point{}
}

// silence is how long calls have been made without any response.
func (t *stats) silence(now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sent == t.ended && t.silent < fewSilent {
		return 0
	}
	return now.Sub(t.spoke)
}

func millis(us int64) float64 { return float64(us) / 1000 }
