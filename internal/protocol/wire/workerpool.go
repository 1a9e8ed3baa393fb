package wire

import (
	"context"
	"sync"
	"time"
)

// workerIdleTimeout is how long an idle goroutine of a crew waits for more work.
const workerIdleTimeout = 5 * time.Second

// A workerPool runs functions concurrently, each immediately. Its goroutines are reused: the goroutine of an HTTP
// exchange has to grow its stack first, which costs as much as part of the exchange itself.
type workerPool struct {
	ctx  context.Context // ends the idle ones
	wg   sync.WaitGroup
	jobs chan func()
}

func newCrew(ctx context.Context) *workerPool { return &workerPool{ctx: ctx, jobs: make(chan func())} }

// run runs the function on an idle goroutine, or on a new one.
func (c *workerPool) run(f func()) {
	select {
	case c.jobs <- f:
	default:
		c.wg.Go(func() { c.work(f) })
	}
}

func (c *workerPool) work(f func()) {
	timer := time.NewTimer(workerIdleTimeout)
	defer timer.Stop()
	for {
		f()
		timer.Reset(workerIdleTimeout)
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
func (c *workerPool) wait() { c.wg.Wait() }
