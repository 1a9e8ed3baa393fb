package subschema

import "time"

// A Clock limits the time that comparisons work. The processor may run something else meanwhile, so that the answer
// would depend on the load: a gap between two looks at the clock counts at most maxGap.
type Clock struct {
	last   time.Time
	end    time.Time // whatever the load is
	left   time.Duration
	parent *Clock // uses up the same time; nil if there is none
}

const (
	maxGap    = 10 * time.Millisecond
	maxFactor = 50 // how many times longer than its limit a comparison may take
)

// NewClock returns a clock that expires after a time of work.
func NewClock(limit time.Duration) *Clock {
	now := time.Now()
	return &Clock{last: now, end: now.Add(maxFactor * limit), left: limit}
}

// Part returns a clock for a part of the work. It expires after its own limit, or with c.
func (c *Clock) Part(limit time.Duration) *Clock {
	c.Expired()
	part := NewClock(limit)
	part.parent = c
	return part
}

// Expired reports whether the time is used up.
func (c *Clock) Expired() bool {
	now := time.Now()
	gap := min(now.Sub(c.last), maxGap)
	expired := false
	for one := c; one != nil; one = one.parent {
		one.last = now
		one.left -= gap
		expired = expired || one.left < 0 || now.After(one.end)
	}
	return expired
}
