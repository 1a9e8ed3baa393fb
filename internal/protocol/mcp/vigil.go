package mcp

import "time"

// A vigil sees whether this process listens. While it is stopped, by Ctrl+Z or with the machine that it runs on, nothing can be
// heard, and a server that has answered meanwhile was not silent.
type vigil struct {
	since time.Time     // when it last looked at the clock
	nap   time.Duration // after which it was to look again
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

// wake returns how much of the time since the last look counts for nothing: all of it if the process was stopped in it.
func (v *vigil) wake(now time.Time) time.Duration {
	if slept := now.Sub(v.since); slept > v.nap+stoppedFor {
		return slept
	}
	return 0
}

// excuse takes from a call's clock a time in which nothing could be heard. What was heard since it ended counts as it is.
func (s *Session) excuse(c *call, lost time.Duration, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.active = c.active.Add(lost); c.active.After(now) {
		c.active = now
	}
}
