package conform

import "context"

// A semaphore is a lock or semaphore that may be held during a request: waiting for it ends with the context.
type semaphore chan struct{}

func newTurn() semaphore { return make(semaphore, 1) }

// take waits for the turn. After an error it is not taken.
func (t semaphore) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// free takes the turn if it is free, and reports whether it did.
func (t semaphore) free() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// put releases the turn.
func (t semaphore) put() { <-t }
