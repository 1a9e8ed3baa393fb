package conform

import "context"

// A turn is a lock or semaphore that may be held during a request: waiting for it ends with the context.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the turn. After an error it is not taken.
func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// free takes the turn if it is free, and reports whether it did.
func (t turn) free() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// leave releases the turn.
func (t turn) leave() { <-t }
