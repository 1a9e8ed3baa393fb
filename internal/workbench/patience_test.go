package workbench

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestPatience lets time pass: silence runs it out, a sign of life does not extend it for ever, and it stands still while the
// server waits for us.
func TestPatience(t *testing.T) {
	type run struct {
		hard  bool
		after time.Duration
		at    time.Duration
	}
	for name, c := range map[string]struct {
		during func(*patience)
		want   run
	}{
		"silence":  {func(*patience) {}, run{false, time.Second, time.Second}},
		"one sign": {func(p *patience) { time.Sleep(900 * time.Millisecond); p.touch() }, run{false, time.Second, 1900 * time.Millisecond}},
		"signs for ever": {func(p *patience) {
			for range 10 {
				time.Sleep(600 * time.Millisecond)
				p.touch()
			}
		}, run{true, 5 * time.Second, 5 * time.Second}},
		"a long question": {func(p *patience) {
			time.Sleep(500 * time.Millisecond)
			p.hold()
			time.Sleep(time.Hour)
			p.touch()
			p.release()
		}, run{false, time.Second, time.Hour + 1500*time.Millisecond}},
		"two questions": {func(p *patience) {
			p.hold()
			p.hold()
			time.Sleep(time.Minute)
			p.release()
			time.Sleep(time.Minute)
			p.release()
		}, run{false, time.Second, 2*time.Minute + time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				out := make(chan run, 1)
				p := newPatience(time.Second, func(hard bool, after time.Duration) { out <- run{hard, after, time.Since(began)} })
				c.during(p)
				if got := <-out; got != c.want {
					t.Errorf("ran out as %+v; want %+v", got, c.want)
				}
			})
		})
	}
}

func TestPatienceStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPatience(time.Second, func(bool, time.Duration) { t.Error("ran out after it was stopped") })
		p.stop()
		p.touch()
		p.hold()
		p.release()
		time.Sleep(time.Minute)
	})
}
