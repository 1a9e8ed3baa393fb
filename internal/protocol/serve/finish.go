package serve

import (
	"sync"
	"time"
)

// grace is how long calls in flight may take to finish when the input ends: a client that pipes its requests in
// and closes expects the responses, a disconnected one must not delay the exit.
const grace = 200 * time.Millisecond

// Shutdown waits for calls to finish, and after the grace period cancels them. It returns when all have ended.
func Shutdown(calls *sync.WaitGroup, stop func()) {
	timer := time.AfterFunc(grace, stop)
	defer timer.Stop()
	calls.Wait()
}
