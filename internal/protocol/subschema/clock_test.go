package subschema

import (
	"testing"
	"time"
)

// A pause of the process is not work.
func TestClockIgnoresPauses(t *testing.T) {
	c := NewClock(100 * time.Millisecond)
	part := c.Part(50 * time.Millisecond)
	part.last = part.last.Add(-time.Second)
	if part.Expired() {
		t.Error("expired after a pause")
	}
	for range 20 {
		part.last = part.last.Add(-maxGap)
		part.Expired()
	}
	if !part.Expired() || !c.Expired() {
		t.Error("not expired after the time was used up")
	}
}

// A part uses up the time of the whole.
func TestClockParts(t *testing.T) {
	c := NewClock(15 * time.Millisecond)
	for range 2 {
		part := c.Part(time.Second)
		part.last = part.last.Add(-maxGap)
		part.Expired()
	}
	if !c.Expired() {
		t.Error("parts did not use up the time")
	}
	if !NewClock(time.Nanosecond).Part(time.Hour).parentExpired() {
		t.Error("a part outlives the whole")
	}
}

func (c *Clock) parentExpired() bool {
	c.end = c.end.Add(-time.Hour)
	c.last = c.last.Add(-maxGap)
	return c.Expired()
}
