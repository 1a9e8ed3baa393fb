// Package stdinwake keeps a process that reads standard input from stalling for up to a minute.
//
// It works around a race in the runtime of Go 1.26. A thread that enters a system call checks whether the world is
// being stopped (by the garbage collector or a change of GOMAXPROCS), and only then marks itself as being in the call.
// If the stop begins between the two, it waits for that thread as if it were running, until its system call returns.
// The runtime's monitor would take the processor away from the thread, but it sleeps during the stop: until the next
// timer is due, or for a minute. So a server that reads standard input and has no timer responds to nothing until its
// client sends more. With a timer that is due every second, such a stop lasts at most a second.
//
// Remove the package when TestStopsOfTheWorldAreShort passes without Start on the oldest Go version in go.mod (run it
// with MCPTEST_FULL=1, several times: the race is rare).
package stdinwake

import (
	"math"
	"sync/atomic"
	"time"
)

// period is the longest stall.
const period = time.Second

// Start runs a periodic timer until stop is called. The timer runs a function: the runtime ignores timers with a
// channel that no goroutine receives from.
func Start() (stop func()) {
	var stopped atomic.Bool
	var timer *time.Timer
	timer = time.AfterFunc(math.MaxInt64, func() {
		if !stopped.Load() {
			timer.Reset(period)
		}
	})
	timer.Reset(period)
	return func() {
		stopped.Store(true)
		timer.Stop()
	}
}
