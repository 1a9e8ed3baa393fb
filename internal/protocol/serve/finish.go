package serve

import (
	"sync"
	"time"
)

// grace is how long calls that run when the input ends may take to give their answer: a client that pipes its requests
// in and closes wants the answers, one that has gone must not be waited for.
const grace = 200 * time.Millisecond

// Finish waits for calls to end by themselves, and after the grace stops them. It returns when all have ended.
func Finish(calls *sync.WaitGroup, stop func()) {
	timer := time.AfterFunc(grace, stop)
	defer timer.Stop()
	calls.Wait()
}
