package mcp

import "time"

// An intermission counts the time in which a request of the server's is being answered. A person may be asked then, so
// that the clocks of the calls under way stand still.
type intermission struct {
	open  int // requests that are being answered
	since time.Time
	spent time.Duration // before since
}

// total is how long it has been all in all.
func (i *intermission) total(now time.Time) time.Duration {
	if i.open == 0 {
		return i.spent
	}
	return i.spent + now.Sub(i.since)
}

// intermit stops the clocks of the calls under way. The function that it returns lets them run again, from the start.
func (s *Session) intermit() (resume func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked.open++; s.asked.open == 1 {
		s.asked.since = time.Now()
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		now := time.Now()
		s.asked.spent = s.asked.total(now)
		s.asked.since = now
		s.asked.open--
		for _, c := range s.pending {
			c.active = now
		}
	}
}

// A deadline is when a call has taken too long, however active the server is.
type deadline struct {
	at    time.Time
	asked time.Duration // that was spent before the call
}

func (s *Session) deadlineAfter(d time.Duration) deadline {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	return deadline{at: now.Add(d), asked: s.asked.total(now)}
}

// patienceLeft is how long a call may still take without a sign of life, and whether it has reached its deadline.
func (s *Session) patienceLeft(c *call, patience time.Duration, hard deadline, now time.Time) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked.open > 0 {
		return patience, false
	}
	end := hard.at.Add(s.asked.total(now) - hard.asked)
	return min(c.active.Add(patience).Sub(now), end.Sub(now)), !now.Before(end)
}
