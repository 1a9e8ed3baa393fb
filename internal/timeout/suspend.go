package timeout

import "time"

// A suspendDetector measures how long this process was suspended, by Ctrl+Z or together with its machine.
type suspendDetector struct {
	since time.Time     // when the clock was last checked
	wait  time.Duration // after which it is checked again
}

const (
	maxWait      = time.Second     // between two checks; a suspension costs a server no more than this
	minSuspended = 5 * time.Second // of delay; a busy machine does not delay a check for this long
)

// beforeWait returns how long to wait before the next check if so much time is left.
func (d *suspendDetector) beforeWait(now time.Time, left time.Duration) time.Duration {
	d.since, d.wait = now, min(left, maxWait)
	return d.wait
}

// afterWait returns the time since the last check if the process was suspended in it, 0 otherwise.
func (d *suspendDetector) afterWait(now time.Time) time.Duration {
	if slept := now.Sub(d.since); slept > d.wait+minSuspended {
		return slept
	}
	return 0
}
