package forward

import "sync"

// maxRelayed is the maximum number of queued notifications about one request for a client that does not read them. The
// oldest are dropped: for progress, the latest one matters.
const maxRelayed = 256

// A notificationQueue forwards the server messages about one request, in order, in a separate goroutine: a client that
// does not read blocks only its own request.
type notificationQueue struct {
	mu      sync.Mutex
	waiting []func()
	passing chan struct{} // closed when the queue is empty; nil while it is idle
}

// pass queues one notification.
func (r *notificationQueue) pass(tell func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == maxRelayed {
		r.waiting = r.waiting[1:]
	}
	r.waiting = append(r.waiting, tell)
	if r.passing == nil {
		r.passing = make(chan struct{})
		go r.run(r.passing)
	}
}

func (r *notificationQueue) run(passing chan struct{}) {
	defer close(passing)
	for tell := r.next(); tell != nil; tell = r.next() {
		tell()
	}
}

// next takes the first notification of the queue; nil if there is none, which ends the forwarding.
func (r *notificationQueue) next() func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		r.passing = nil
		return nil
	}
	tell := r.waiting[0]
	r.waiting = r.waiting[1:]
	return tell
}

// flush waits until the queue is empty, so that a response or a request is sent after it.
func (r *notificationQueue) flush() {
	r.mu.Lock()
	passing := r.passing
	r.mu.Unlock()
	if passing != nil {
		<-passing
	}
}
