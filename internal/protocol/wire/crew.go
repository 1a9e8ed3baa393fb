package wire

import (
	"context"
	"sync"
	"time"
)

// idleHand is how long a goroutine of a crew waits for more to do.
const idleHand = 5 * time.Second

// A crew runs functions beside each other, each at once. Its goroutines stay for a while: that of an HTTP exchange has to
// grow its stack first, which costs as much as a part of the exchange itself.
type crew struct {
	ctx  context.Context // ends those that wait
	wg   sync.WaitGroup
	jobs chan func()
}

func newCrew(ctx context.Context) *crew { return &crew{ctx: ctx, jobs: make(chan func())} }

// run has the function run by whoever waits for work, or by a new hand.
func (c *crew) run(f func()) {
	select {
	case c.jobs <- f:
	default:
		c.wg.Go(func() { c.work(f) })
	}
}

func (c *crew) work(f func()) {
	timer := time.NewTimer(idleHand)
	defer timer.Stop()
	for {
		f()
		timer.Reset(idleHand)
		select {
		case f = <-c.jobs:
		case <-timer.C:
			return
		case <-c.ctx.Done():
			return
		}
	}
}

// wait waits until nothing runs any more; the context is over, and run is not called again.
func (c *crew) wait() { c.wg.Wait() }
