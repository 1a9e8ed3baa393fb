package upstream

import (
	"errors"
	"sync"
	"time"
)

// A server that lets this many requests in a row time out within the span is not sent more until it gives a sign of life.
const (
	breakAfter = 5
	breakSpan  = 30 * time.Second
)

var errSilent = errors.New("its last requests all timed out")

// A breaker keeps requests from a server that hangs. That it died is no reason: then it is started again.
type breaker struct {
	mu    sync.Mutex
	since time.Time // of the first in the row
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
