package timeout

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestTimer(t *testing.T) {
	type result struct {
		Expiry
		at time.Duration
	}
	idle := Expiry{After: time.Second}
	for name, c := range map[string]struct {
		during func(*Timer)
		want   result
	}{
		"no activity": {func(*Timer) {}, result{idle, time.Second}},
		"one activity": {func(t *Timer) { time.Sleep(900 * time.Millisecond); t.Touch() },
			result{idle, 1900 * time.Millisecond}},
		"constant activity": {func(t *Timer) {
			for range 10 {
				time.Sleep(600 * time.Millisecond)
				t.Touch()
			}
		}, result{Expiry{After: 5 * time.Second, Hard: true}, 5 * time.Second}},
		"a long question": {func(t *Timer) {
			time.Sleep(500 * time.Millisecond)
			t.Hold()
			time.Sleep(time.Hour)
			t.Touch()
			t.Release()
		}, result{idle, time.Hour + 1500*time.Millisecond}},
		"two questions": {func(t *Timer) {
			t.Hold()
			t.Hold()
			time.Sleep(time.Minute)
			t.Release()
			time.Sleep(time.Minute)
			t.Release()
		}, result{idle, 2*time.Minute + time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				out := make(chan result, 1)
				timer := New(time.Second, func(e Expiry) { out <- result{e, time.Since(began)} })
				c.during(timer)
				if got := <-out; got != c.want {
					t.Errorf("expired as %+v, want %+v", got, c.want)
				}
			})
		})
	}
}

func TestTimerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timer := New(time.Second, func(Expiry) { t.Error("expired after interrupted") })
		timer.Stop()
		timer.Touch()
		timer.Hold()
		timer.Release()
		time.Sleep(time.Minute)
	})
}

// A suspension is not silence of the server, and does not extend the time for what it sends after that.
func TestTimerAfterSuspension(t *testing.T) {
	begin := time.Now()
	for _, test := range []struct {
		active, want time.Duration // the last activity, and how long the server may still be silent
	}{
		{2 * time.Second, 9 * time.Second},               // before the suspension, which began after 3 s
		{10*time.Minute + time.Second, 10 * time.Second}, // as soon as it could be received
	} {
		now := begin.Add(10*time.Minute + 3*time.Second)
		timer := &Timer{idle: 10 * time.Second, active: begin.Add(test.active), end: begin.Add(time.Minute)}
		timer.checked = suspendDetector{since: begin.Add(3 * time.Second), wait: maxWait}
		timer.skipLocked(now)
		if got := timer.remainingLocked(now); got != test.want {
			t.Errorf("active after %v: %v are left after a suspension of 10m, want %v", test.active, got, test.want)
		}
	}
}

func TestSuspendDetector(t *testing.T) {
	begin := time.Now()
	at := func(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }
	var d suspendDetector
	if wait := d.beforeWait(at(0), 10*time.Second); wait != maxWait {
		t.Errorf("the first wait takes %v, want %v", wait, maxWait)
	}
	if lost := d.afterWait(at(1.2)); lost != 0 {
		t.Errorf("a busy machine counts as a suspension of %v", lost)
	}
	d.beforeWait(at(1.2), 8800*time.Millisecond)
	if lost := d.afterWait(at(601.2)); lost != 10*time.Minute {
		t.Errorf("a suspension of 10m is measured as %v", lost)
	}
	if wait := d.beforeWait(at(601.2), 300*time.Millisecond); wait != 300*time.Millisecond {
		t.Errorf("the last wait takes %v, want 300ms", wait)
	}
	if lost := d.afterWait(at(601.5)); lost != 0 {
		t.Errorf("a wait counts as a suspension of %v", lost)
	}
}

// A check that comes long after both limits have passed reports the one that passed first.
func TestLateCheck(t *testing.T) {
	for _, hard := range []bool{false, true} {
		got := Expiry{}
		now := time.Now()
		timer := New(time.Hour, func(e Expiry) { got = e })
		timer.idle, timer.active, timer.end = time.Second, now.Add(-10*time.Second), now.Add(-2*time.Second)
		if hard { // activity until shortly before the end
			timer.active = now.Add(-2500 * time.Millisecond)
		}
		timer.check()
		want := Expiry{After: time.Second}
		if hard {
			want = Expiry{After: MaxFactor * time.Second, Hard: true}
		}
		if got != want {
			t.Errorf("activity until the end %v: %+v, expected %+v", hard, got, want)
		}
	}
}
