package wire

import (
	"context"
	"sync"
	"time"
)

// idleHand is how long an idle goroutine of a crew waits for more work.
const idleHand = 5 * time.Second

// A crew runs functions concurrently, each immediately. Its goroutines are reused: the goroutine of an HTTP
// exchange has to grow its stack first, which costs as much as part of the exchange itself.
type crew struct {
	ctx  context.Context // ends the idle ones
	wg   sync.WaitGroup
	jobs chan func()
}

func newCrew(ctx context.Context) *crew { return &crew{ctx: ctx, jobs: make(chan func())} }

// run runs the function on an idle goroutine, or on a new one.
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

// wait waits until nothing is running; the context is done, and run is not called again.
func (c *crew) wait() { c.wg.Wait() }
