package load

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// A stalling server answers at once, one call after another, but for the hundredth, which takes a second.
func stalling() Call {
	turn, n := make(chan struct{}, 1), 0
	return func(context.Context, int) error {
		turn <- struct{}{}
		defer func() { <-turn }()
		if n++; n == 100 {
			time.Sleep(time.Second)
		}
		if n == 300 {
			return errors.New("one fails")
		}
		return nil
	}
}

// The histogram shows a stall of a second in full: each call that was due meanwhile is late by what was left of it.
func TestOpenLoopShowsAStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Drive(t.Context(), Pace{Rate: 200, Duration: 2 * time.Second}, stalling(), nil)
		if s.Calls != 400 || s.Errors != 1 {
			t.Errorf("%d calls, %d errors; want 400 and 1", s.Calls, s.Errors)
		}
		near := func(name string, got, want float64) {
			if math.Abs(got-want) > want/100+0.01 {
				t.Errorf("%s is %v ms, want %v", name, got, want)
			}
		}
		// Of 400 calls, the 200 from the hundredth on wait 1000, 995, … 5 ms.
		near("max", s.Latency.Max, 1000)
		near("p99", s.Latency.P99, 985)
		near("p90", s.Latency.P90, 805)
		near("p50", s.Latency.P50, 0)
		near("mean", s.Latency.Mean, 251.25)
	})
}

// A closed loop makes few calls during a stall, which is why it is not what --rate does.
func TestClosedLoopKeepsSoManyOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Drive(t.Context(), Pace{Concurrency: 4, Duration: time.Second}, func(context.Context, int) error {
			time.Sleep(100 * time.Millisecond)
			return nil
		}, nil)
		if s.Calls != 40 || math.Abs(s.Latency.P50-100) > 1 || math.Abs(s.Rate-40) > 0.1 {
			t.Errorf("%d calls, p50 %v ms, %v/s; want 40, 100 and 40", s.Calls, s.Latency.P50, s.Rate)
		}
	})
}

// A rate with a concurrency sends late what it may not send in time, and counts from when it was due.
func TestRateWithinAConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open, most := 0, 0
		slow := func(context.Context, int) error {
			open++
			most = max(most, open)
			time.Sleep(100 * time.Millisecond)
			open--
			return nil
		}
		s := Drive(t.Context(), Pace{Rate: 100, Concurrency: 1, Duration: time.Second, Drain: 950 * time.Millisecond},
			slow, nil)
		if most != 1 {
			t.Errorf("%d calls were open at once, want 1", most)
		}
		// One at a time begins 20 calls in 1.95 s, at no moment at which one ends; the rest was due and could not be
		// sent.
		if s.Calls != 20 || s.Unsent != 80 {
			t.Errorf("%d calls, %d unsent; want 20 and 80", s.Calls, s.Unsent)
		}
		if s.Latency.Max < 1700 || s.Latency.P50 < 1200 {
			t.Errorf("max %v ms, p50 %v ms; want the waiting counted", s.Latency.Max, s.Latency.P50)
		}
	})
}

// What waited for its turn is counted from when it was due, not from when it was sent.
func TestWaitingCountsFromWhenDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(context.Context, int) error { time.Sleep(100 * time.Millisecond); return nil }
		s := Drive(t.Context(), Pace{Rate: 100, Concurrency: 1, Duration: 100 * time.Millisecond, Drain: time.Minute},
			slow, nil)
		// Call n is due at 10n ms, begins at 100n ms and takes 100 ms.
		if s.Calls != 10 || s.Unsent != 0 || math.Abs(s.Latency.Max-910) > 10 || math.Abs(s.Latency.P50-460) > 100 {
			t.Errorf("%d calls, %d unsent, max %v ms, p50 %v ms; want 10, 0, 910 and 460", s.Calls, s.Unsent,
				s.Latency.Max, s.Latency.P50)
		}
	})
}

// Calls that stay open while none is answered end the run, long before its time.
func TestDeadlockEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		stuck := func(ctx context.Context, n int) error {
			if n < 10 {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}
		s := Drive(t.Context(), Pace{Rate: 10, Duration: time.Hour, Silence: 5 * time.Second}, stuck, nil)
		if took := time.Since(begun); !s.Deadlock || took > 7*time.Second {
			t.Errorf("deadlock %v after %v; want it seen after 6 s", s.Deadlock, took)
		}
		if s.Errors != s.Calls-10 || s.Latency.Max < 5000 {
			t.Errorf("%d of %d calls failed, max %v ms; want all but ten, with the time that they waited", s.Errors,
				s.Calls, s.Latency.Max)
		}
	})
}

// A tool that is slow on purpose is no deadlock while answers come, nor is a pause without calls.
func TestSlowIsNoDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(context.Context, int) error { time.Sleep(9 * time.Second); return nil }
		if s := Drive(t.Context(), Pace{Rate: 0.05, Duration: 2 * time.Minute}, slow, nil); s.Deadlock || s.Errors > 0 {
			t.Errorf("deadlock %v, %d errors; want none", s.Deadlock, s.Errors)
		}
	})
}

// The ramp raises the rate evenly, and the series and the live view tell of it.
func TestRamp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		p := Pace{Rate: 100, Duration: 4 * time.Second, Ramp: 2 * time.Second}
		s := Drive(t.Context(), p, func(context.Context, int) error { return nil }, func(l Live) { told++ })
		if s.Calls != 300 || p.Calls() != 300 {
			t.Errorf("%d calls, of %d that are due; want 300", s.Calls, p.Calls())
		}
		half, whole := int64(0), int64(0)
		for _, point := range s.Series {
			if whole += point.Calls; point.Seconds <= 2 {
				half += point.Calls
			}
		}
		if whole != 300 || half < 90 || half > 105 || told < 6 {
			t.Errorf("%d calls in the series, %d of them in the ramp, told %d times; want 300, 100 and 7", whole, half,
				told)
		}
	})
}

func TestDriveEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		Drive(ctx, Pace{Rate: 10, Duration: time.Hour},
			func(ctx context.Context, _ int) error { <-ctx.Done(); return ctx.Err() }, nil)
		if took := time.Since(begun); took != time.Second {
			t.Errorf("it took %v, want a second", took)
		}
	})
}

func TestParseRate(t *testing.T) {
	for text, want := range map[string]float64{"500/s": 500, "500": 500, "30/m": 0.5, " 1.5 / s ": 1.5, "x": 0, "-1": 0,
		"0": 0, "5/day": 0, "1e99": 0, "NaN": 0, "": 0} {
		if got, err := ParseRate(text); got != want || (err != nil) != (want == 0) {
			t.Errorf("ParseRate(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestPaceCheck(t *testing.T) {
	for _, p := range []Pace{{Rate: -1, Duration: 1}, {Rate: 2e6, Duration: 1}, {Concurrency: -1, Duration: 1},
		{Rate: 1}, {Rate: 1, Duration: 1, Ramp: 2}, {Rate: 1, Duration: 1e18}} {
		if p.Check() == nil {
			t.Errorf("%+v is accepted", p)
		}
	}
	if err := (Pace{Rate: MaxRate, Concurrency: MaxConcurrency, Duration: MaxDuration, Ramp: MaxDuration}).Check(); err != nil {
		t.Errorf("the limits themselves are not accepted: %v", err)
	}
}
