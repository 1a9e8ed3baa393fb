package mcp

import "time"

// A vigil counts the time in which this process listens. While it is stopped, by Ctrl+Z or with the machine that it runs on,
// nothing can be heard, and a server that has answered meanwhile was not silent.
type vigil struct {
	since time.Time     // when it last looked at the clock
	nap   time.Duration // after which it was to look again
	lost  time.Duration // in which it was stopped
}

const (
	longestNap = time.Second     // what a stop can take away from the patience with a server
	stoppedFor = 5 * time.Second // beyond the nap; nobody comes so late only because the machine is busy
)

// sleep returns how long to wait before the next look at the clock, if so much time is left.
func (v *vigil) sleep(now time.Time, left time.Duration) time.Duration {
	v.since, v.nap = now, min(left, longestNap)
	return v.nap
}

// wake returns what the time would be if the process had never been stopped. A nap in which it was counts for nothing.
func (v *vigil) wake(now time.Time) time.Time {
	if slept := now.Sub(v.since); slept > v.nap+stoppedFor {
		v.lost += slept
	}
	return now.Add(-v.lost)
}
