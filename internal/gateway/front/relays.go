package front

import "sync"

// mostRelayed is how many notifications about one request wait for a client that does not read them. The oldest are given up:
// of progress the latest counts.
const mostRelayed = 256

// A relays passes on what a server says about one request, in its order, beside whoever reads from the server: a client that
// does not read holds up its own request and nobody else's.
type relays struct {
	mu      sync.Mutex
	waiting []func()
	passing chan struct{} // closed when nothing waits any more; nil while nothing does
}

// pass has one notification told when those before it have been.
func (r *relays) pass(tell func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == mostRelayed {
		r.waiting = r.waiting[1:]
	}
	r.waiting = append(r.waiting, tell)
	if r.passing == nil {
		r.passing = make(chan struct{})
		go r.run(r.passing)
	}
}

func (r *relays) run(passing chan struct{}) {
	defer close(passing)
	for tell := r.next(); tell != nil; tell = r.next() {
		tell()
	}
}

// next takes the notification whose turn it is; nil if there is none, which ends the passing on.
func (r *relays) next() func() {
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

// settle waits until all has been told, so that an answer or a question comes after it.
func (r *relays) settle() {
	r.mu.Lock()
	passing := r.passing
	r.mu.Unlock()
	if passing != nil {
		<-passing
	}
}
