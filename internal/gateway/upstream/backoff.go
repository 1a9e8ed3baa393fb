package upstream

import "time"

// How long to wait before reconnecting to a server.
const (
	minBackoff = 200 * time.Millisecond
	maxBackoff = 30 * time.Second

	soonBackoff = 400 * time.Millisecond // at most, for a server that was healthy recently
	resetAfter  = 30 * time.Second       // since its last response
	// consecutive; a server that crashes more often is not healthy, even if it responds in between
	fastRetries       = 60
	authorizationWait = 10 * time.Second // at least, for a server that has rejected the gateway

	steady = 5 * time.Second // a session of this length resets the count
)

// A backoff determines when a server is restarted. One that was healthy before was probably killed: it is restarted
// immediately, and after another crash soon, so that the next call is served within a second. For one that does not
// start, or crashes repeatedly, the delay increases.
type backoff struct {
	row  int       // consecutive sessions that ended immediately, or did not start
	well time.Time // when it last responded
}

// next is how long to wait after a session of this duration, or one that did not start, and whether the delay is short
// because the server was healthy recently.
func (b *backoff) next(now time.Time, lasted time.Duration, worked bool) (wait time.Duration, soon bool) {
	if worked {
		b.well = now
	}
	if b.row++; worked && lasted >= steady {
		b.row = 1
	}
	limit := maxBackoff
	soon = !b.well.IsZero() && now.Sub(b.well) <= resetAfter && b.row <= fastRetries
	if soon {
		limit = soonBackoff
	}
	tries := b.row - 1
	if b.well.IsZero() {
		tries = b.row // it has never been up, so it was not killed
	}
	if tries > 0 {
		wait = min(minBackoff<<min(tries-1, 10), limit)
	}
	return wait, soon
}
