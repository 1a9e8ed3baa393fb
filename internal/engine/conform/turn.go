package conform

import "context"

// A turn is a lock that may be held while a server is asked: whoever waits for it does so no longer than its context allows.
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

// free takes the turn if nobody has it.
func (t turn) free() bool {
	select {
	case t <- struct{}{}:
		return true
	default:
		return false
	}
}

// leave lets the next one take it.
func (t turn) leave() { <-t }
