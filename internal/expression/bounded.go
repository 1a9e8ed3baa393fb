package expression

import (
	"context"
	"fmt"
	"time"
)

// timeLimit is how long one expression may compute: in so many steps, since a machine that stands still for a while
// takes one step meanwhile, and that is no fault of the expression's.
const (
	timeLimit = 100 * time.Millisecond
	steps     = 10
)

var errTooLong = fmt.Errorf("the expression took longer than %v", timeLimit)

// bounded is a context that ends with errTooLong. It is to be released.
func bounded(ctx context.Context) (_ context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	first := time.AfterFunc(timeLimit/steps, func() { // few expressions live to see it
		ticker := time.NewTicker(timeLimit / steps)
		defer ticker.Stop()
		for range steps - 1 {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
		}
		cancel(errTooLong)
	})
	return ctx, func() {
		first.Stop()
		cancel(nil)
	}
}
