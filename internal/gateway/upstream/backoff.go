package upstream

import "time"

// How long a server that cannot be reached is left alone.
const (
	minBackoff = 200 * time.Millisecond
	maxBackoff = 30 * time.Second

	soonBackoff = 400 * time.Millisecond // at most, as long as it is a server that was well a moment ago
	wellFor     = 30 * time.Second       // since it last answered a request
	soonTries   = 60                     // in a row; what dies more often is not well, whatever it answers in between
	steady      = 5 * time.Second        // a session that lasts so long ends the row
)

// A backoff decides when a server is started again. One that was well before is likely to have been killed: it is started
// at once, and if it dies again, soon, so that the next call is served within a second. One that does not come up, or dies
// all the time, is left alone longer and longer.
type backoff struct {
	row  int       // sessions that were over at once, or did not begin
	well time.Time // when it last had answered
}

// next is how long to wait after a session that lasted so long, or that did not begin, and whether it is short because the
// server was well a moment ago.
func (b *backoff) next(now time.Time, lasted time.Duration, worked bool) (wait time.Duration, soon bool) {
	if worked {
		b.well = now
	}
	if b.row++; worked && lasted >= steady {
		b.row = 1
	}
	limit := maxBackoff
	soon = !b.well.IsZero() && now.Sub(b.well) <= wellFor && b.row <= soonTries
	if soon {
		limit = soonBackoff
	}
	tries := b.row - 1
	if b.well.IsZero() {
		tries = b.row // it has never been up: nobody killed it
	}
	if tries > 0 {
		wait = min(minBackoff<<min(tries-1, 10), limit)
	}
	return wait, soon
}
