// Package awake keeps a process that waits in a system call from standing still for up to a minute.
//
// Go 1.26 has a gap there. A thread that enters a system call looks whether the world is being stopped, for the garbage collector
// or for a change of GOMAXPROCS, and only then marks itself as being in the call. If the world begins to stop between the two,
// whoever stops it takes the thread for one that runs, and waits until its call returns. The runtime's monitor would take the
// processor away from it, but sleeps while the world stops: until the next timer is due, or for a minute. So a server that reads
// its standard input and has set no timer answers nothing of what it has read before its client sends something more.
//
// With a timer that is due every second, such a stop takes a second at most.
package awake

import (
	"math"
	"sync/atomic"
	"time"
)

// period is how long the process may stand still.
const period = time.Second

// Keep sets a timer again and again until the function that it returns is called. One that only a channel waits for would not
// do: the runtime does not count those that nobody receives from.
func Keep() (stop func()) {
	var over atomic.Bool
	var timer *time.Timer
	timer = time.AfterFunc(math.MaxInt64, func() {
		if !over.Load() {
			timer.Reset(period)
		}
	})
	timer.Reset(period)
	return func() {
		over.Store(true)
		timer.Stop()
	}
}
