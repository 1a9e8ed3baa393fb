package workbench

import (
	"context"
	"errors"
	"time"
)

// A Bounded is the input of an operation that can be told how long it may take in all. What was done by then is its
// result, and what was not reached is told.
type Bounded interface{ Bound(within time.Duration) }

// ErrTimeOver is why an operation ended that was bounded.
var ErrTimeOver = errors.New("the time was over")

// A limit is part of the input of an operation that ends with what it has when its context does.
type limit struct{ within time.Duration }

// Bound says how long the operation may take in all.
func (l *limit) Bound(within time.Duration) { l.within = within }

// begin starts the clock. The context is cancelled rather than given a deadline: a request that has no answer by then is
// not one that took too long.
func (l *limit) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	bounded, cancel := context.WithCancelCause(ctx)
	if l.within <= 0 {
		return bounded, func() { cancel(nil) }
	}
	clock := time.AfterFunc(l.within, func() { cancel(ErrTimeOver) })
	return bounded, func() { clock.Stop(); cancel(nil) }
}

// timeOver reports whether an operation ended because its time was over.
func timeOver(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrTimeOver) }
