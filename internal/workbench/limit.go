package workbench

import (
	"context"
	"errors"
	"time"
)

// A Bounded is the input of an operation with a time limit. What was done by then is its result, and what was
// not reached is listed.
type Bounded interface{ Bound(within time.Duration) }

// ErrTimeLimit is the reason why a bounded operation stopped.
var ErrTimeLimit = errors.New("time limit reached")

// A Limit is part of the input of an operation that returns partial results when its context ends.
type Limit struct{ within time.Duration }

// Bound sets the time limit of the operation.
func (l *Limit) Bound(within time.Duration) { l.within = within }

// TimeLimit returns the time limit of the operation; 0 means none.
func (l *Limit) TimeLimit() time.Duration { return l.within }

// Begin starts the clock. The context is cancelled rather than given a deadline: a request without a response
// by then did not time out.
func (l *Limit) Begin(ctx context.Context) (context.Context, context.CancelFunc) {
	bounded, cancel := context.WithCancelCause(ctx)
	if l.within <= 0 {
		return bounded, func() { cancel(nil) }
	}
	clock := time.AfterFunc(l.within, func() { cancel(ErrTimeLimit) })
	return bounded, func() { clock.Stop(); cancel(nil) }
}

// TimeOver reports whether an operation stopped because its time limit was reached.
func TimeOver(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrTimeLimit) }
