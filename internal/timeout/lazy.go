package timeout

import (
	"context"
	"sync"
	"time"
)

// A lazy context is a context with a timeout whose timer is only set when someone waits for it.
type lazy struct {
	parent context.Context
	at     time.Time

	mu      sync.Mutex
	limited context.Context // nil until Done is called
	cancel  context.CancelFunc
}

// Lazily returns a context with a timeout, for work that usually ends without waiting: until Done is called it costs
// next to nothing, and Err does not report the timeout. The returned function must be called at the end.
func Lazily(parent context.Context, within time.Duration) (ctx context.Context, cancel func()) {
	l := &lazy{parent: parent, at: time.Now().Add(within)}
	return l, l.end
}

func (l *lazy) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil {
		l.cancel()
	}
}

// current is the context with the timer, or the parent as long as there is none.
func (l *lazy) current() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limited != nil {
		return l.limited
	}
	return l.parent
}

// Done implements context.Context.
func (l *lazy) Done() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limited == nil {
		l.limited, l.cancel = context.WithDeadline(l.parent, l.at)
	}
	return l.limited.Done()
}

// Deadline implements context.Context.
func (l *lazy) Deadline() (time.Time, bool) {
	if at, ok := l.parent.Deadline(); ok && at.Before(l.at) {
		return at, true
	}
	return l.at, true
}

// Err implements context.Context.
func (l *lazy) Err() error { return l.current().Err() }

// Value implements context.Context. It also lets context.Cause find the cause.
func (l *lazy) Value(key any) any { return l.current().Value(key) }
