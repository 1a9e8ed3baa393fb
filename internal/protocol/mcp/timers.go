package mcp

import (
	"time"

	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// startTimer starts the timer of a call. It is paused while a request of the server is being handled.
func (s *Session) startTimer(c *call, idle time.Duration, onExpire func(timeout.Expiry)) *timeout.Timer {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.timer = timeout.New(idle, onExpire)
	if s.handling > 0 {
		c.timer.Hold()
	}
	return c.timer
}

// holdTimers pauses the timers of all calls while a request of the server is being handled: the user may have
// to answer it. The returned function resumes them.
func (s *Session) holdTimers() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handling++; s.handling == 1 {
		s.eachTimerLocked((*timeout.Timer).Hold)
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.handling--; s.handling == 0 {
			s.eachTimerLocked((*timeout.Timer).Release)
		}
	}
}

func (s *Session) eachTimerLocked(do func(*timeout.Timer)) {
	for _, c := range s.pending {
		if c.timer != nil {
			do(c.timer)
		}
	}
}
