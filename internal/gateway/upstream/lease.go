package upstream

import "sync"

// A Lease is the use of a process. One without a pool is the shared process, which is always there.
type Lease struct {
	Server *Server
	pool   *Pool
	member *member
}

// Release ends the use. It is called once.
func (l Lease) Release() {
	if l.pool == nil {
		return
	}
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	l.member.uses--
	l.pool.settleLocked(l.member)
}

// Again is a second use of the same process, for a request that continues after the first Release.
func (l Lease) Again() Lease {
	if l.pool != nil {
		l.pool.mu.Lock()
		defer l.pool.mu.Unlock()
		l.member.uses++
	}
	return l
}

// Hold keeps the process running until the returned function is called, without using it: for subscriptions and tasks.
func (l Lease) Hold() (release func()) {
	if l.pool == nil {
		return func() {}
	}
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	l.member.holds++
	return sync.OnceFunc(func() {
		l.pool.mu.Lock()
		defer l.pool.mu.Unlock()
		l.member.holds--
		l.pool.settleLocked(l.member)
	})
}
