package upstream

import (
	"errors"
	"sync"
	"time"
)

// After this many consecutive timeouts within the span, a server gets no more requests until it responds to a health
// check.
const (
	breakAfter = 5
	breakSpan  = 30 * time.Second
)

var errSilent = errors.New("the last requests all timed out")

// A breaker stops requests to a server that hangs. A crash does not open it: then the server is restarted.
type breaker struct {
	mu    sync.Mutex
	since time.Time // of the first consecutive timeout
	row   int
	open  bool
}

func (b *breaker) check(server string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		return &DownError{Server: server, Err: errSilent, RetryIn: time.Second}
	}
	return nil
}

func (b *breaker) timedOut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if b.row == 0 || now.Sub(b.since) > breakSpan {
		b.row, b.since = 0, now
	}
	b.row++
	b.open = b.open || b.row >= breakAfter
}

func (b *breaker) worked() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.row, b.open = 0, false
}

func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}
