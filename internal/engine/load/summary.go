package load

import (
	"slices"
	"time"
)

// A Summary is the outcome of a load. Times are in milliseconds, from when a call was due to its response.
type Summary struct {
	Pace     string     `json:"pace"`
	Started  time.Time  `json:"started"`
	Seconds  float64    `json:"seconds"` // from the start to the last response, at least the duration of the pace
	Calls    int64      `json:"calls"`   // that were sent
	Errors   int64      `json:"errors"`
	Unsent   int64      `json:"unsent"` // calls that were due while too many were in flight, and were never sent
	Rate     float64    `json:"rate"`   // calls without an error, per second
	Latency  Latency    `json:"latency_ms"`
	Late     float64    `json:"late_ms"` // 99th percentile of the delay before calls were sent
	Kinds    []Kind     `json:"kinds,omitempty"`
	Checked  int64      `json:"checked"`  // responses that were checked for the nonce of their call
	MixedUp  int64      `json:"mixed_up"` // of those, responses that belong to another call
	Deadlock bool       `json:"deadlock"`
	Stopped  bool       `json:"stopped,omitempty"` // from outside, before the end
	Process  *Growth    `json:"process,omitempty"` // nil if there is no local process
	Series   []Point    `json:"series"`
	Curve    []Quantile `json:"curve"`

	Confused []MismatchedResponse `json:"confused,omitempty"` // the first mixed-up responses
	Died     string               `json:"died,omitempty"`     // why the connection was lost under load
	Stderr   string               `json:"stderr,omitempty"`   // the last stderr output of a server before it crashed
	// after a deadlock: whether the server still responds to anything
	Alive  string `json:"alive,omitempty"`
	closed bool
}

// A Latency is the latency distribution, in milliseconds.
type Latency struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99.9"`
	Max  float64 `json:"max"`
}

// A Kind is a way in which calls failed.
type Kind struct {
	Name    string `json:"name"`
	Count   int64  `json:"count"`
	Example string `json:"example,omitempty"`
}

// A Point is one interval of the run.
type Point struct {
	Seconds float64 `json:"seconds"` // its end, relative to the start
	Calls   int64   `json:"calls"`
	Errors  int64   `json:"errors"`
	Rate    float64 `json:"rate"`
	P50     float64 `json:"p50_ms"`
	P95     float64 `json:"p95_ms"`
	P99     float64 `json:"p99_ms"`
	Max     float64 `json:"max_ms"`
}

// A Quantile is a point of the distribution.
type Quantile struct {
	Percent float64 `json:"percent"`
	MS      float64 `json:"ms"`
}

// A Live is a progress update.
type Live struct {
	Elapsed, Duration time.Duration
	Calls, Errors     int64
	Open              int64
	Rate              float64 // of calls that ended since the last update
	P50, P95, P99     float64 // milliseconds, since the start
}

func (t *stats) live(now time.Time) Live {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := Live{Elapsed: now.Sub(t.start), Calls: t.sent, Errors: t.failed, Open: t.sent - t.ended}
	if passed := now.Sub(t.reportedAt).Seconds(); passed > 0 {
		l.Rate = float64(t.ended-t.reportedDone) / passed
	}
	t.reportedAt, t.reportedDone = now, t.ended
	if t.latency.TotalCount() > 0 {
		l.P50, l.P95, l.P99 = millis(t.latency.ValueAtQuantile(50)), millis(t.latency.ValueAtQuantile(95)),
			millis(t.latency.ValueAtQuantile(99))
	}
	return l
}

// curvePoints are the percentiles of the distribution curve.
var curvePoints = []float64{0, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100}

func (t *stats) summary(p Pace, now time.Time) *Summary {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.advance(now)
	if t.point.Calls > 0 {
		t.flush()
	}
	s := &Summary{Pace: p.asRequested().String(), Started: t.start, Calls: t.sent, Errors: t.failed, Unsent: t.skipped,
		Kinds: t.kinds, Series: t.series, closed: p.Rate == 0}
	slices.SortFunc(s.Kinds, func(a, b Kind) int { return int(b.Count - a.Count) })
	s.Seconds = max(min(now.Sub(t.start), p.Duration), t.lastEnd.Sub(t.start)).Seconds()
	if s.Seconds > 0 {
		s.Rate = float64(t.ended-t.failed) / s.Seconds
	}
	s.Late = millis(t.late.ValueAtQuantile(99))
	if h := t.latency; h.TotalCount() > 0 {
		s.Latency = Latency{Min: millis(h.Min()), Mean: h.Mean() / 1000, P50: millis(h.ValueAtQuantile(50)),
			P90: millis(h.ValueAtQuantile(90)),
			P95: millis(h.ValueAtQuantile(95)), P99: millis(h.ValueAtQuantile(99)),
			P999: millis(h.ValueAtQuantile(99.9)), Max: millis(h.Max())}
		for _, q := range curvePoints {
			s.Curve = append(s.Curve, Quantile{q, millis(h.ValueAtQuantile(q))})
		}
	}
	return s
}

// asRequested is the pace without a default concurrency.
func (p Pace) asRequested() Pace {
	if p.Rate > 0 && p.Concurrency == MaxConcurrency {
		p.Concurrency = 0
	}
	return p
}

// Figures are the numbers of the summary by the names that thresholds and suites use. Figures that were not measured
// are omitted.
func (s *Summary) Figures() map[string]float64 {
	all := map[string]float64{
		"p50_ms": s.Latency.P50, "p90_ms": s.Latency.P90, "p95_ms": s.Latency.P95, "p99_ms": s.Latency.P99,
		"p99.9_ms": s.Latency.P999,
		"max_ms":   s.Latency.Max, "min_ms": s.Latency.Min, "mean_ms": s.Latency.Mean, "late_ms": s.Late,
		"seconds": s.Seconds,
		"rate":    s.Rate, "calls": float64(s.Calls), "errors": float64(s.Errors), "unsent": float64(s.Unsent),
		"error_percent": s.errorPercent(), "checked": float64(s.Checked), "mixed_up": float64(s.MixedUp),
		"deadlocks": 0,
	}
	if s.Deadlock {
		all["deadlocks"] = 1
	}
	if s.Process != nil {
		all["memory_growth_mb"], all["handles_growth"] = s.Process.MemoryMB(), float64(s.Process.Handles())
	}
	return all
}

func (s *Summary) errorPercent() float64 {
	return 100 * float64(s.Errors+s.Unsent) / float64(max(s.Calls+s.Unsent, 1))
}

// ClosedLoop reports whether calls waited for each other instead of being due at a rate.
func (s *Summary) ClosedLoop() bool { return s.closed }

// Scrub removes secrets from text returned by servers.
func (s *Summary) Scrub(scrub func(string) string) {
	s.Kinds, s.Confused = slices.Clone(s.Kinds), slices.Clone(s.Confused)
	for i := range s.Kinds {
		s.Kinds[i].Example = scrub(s.Kinds[i].Example)
	}
	for i := range s.Confused {
		s.Confused[i].Got = scrub(s.Confused[i].Got)
	}
	s.Died, s.Stderr = scrub(s.Died), scrub(s.Stderr)
}
