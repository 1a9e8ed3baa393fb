package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// An Isolation is which clients share a process of a server, or a session with a server at a URL.
type Isolation string

// The kinds of isolation.
const (
	Shared     Isolation = "shared"      // all clients share one
	PerCaller  Isolation = "per-caller"  // each caller has its own
	PerSession Isolation = "per-session" // each session has its own
	Auto       Isolation = "auto"        // shared until the server sends a request to a client, then one per session
)

// The default limits of a pool.
const (
	DefaultProcesses = 64
	DefaultIdle      = 10 * time.Minute
)

// maxQueued is how many requests may wait for a process.
const maxQueued = 256

// An Owner is whose process it is: a session's, or a caller's if there is no session.
type Owner struct {
	Caller  string
	Session any
	Account string // which account of the caller it uses; empty if it has none of its own
}

// A Pool holds the processes of one server that belong to single sessions or callers. They are started on demand, and
// stopped when their session ends, when they were idle for some time, or when another one needs their place.
type Pool struct {
	name  string
	max   int
	idle  time.Duration
	start func(id string, o Owner) *Server

	mu      sync.Mutex
	members []*member // least recently used first
	closing int       // processes that have not exited yet; they count for the limit
	waiting int
	last    int           // number of the last process
	calls   int64         // of stopped processes
	failed  int64         // of stopped processes
	changed chan struct{} // closed at the next change; nil while nothing waits for it
	closed  bool
	wg      sync.WaitGroup
}

// A member is one process of a pool.
type member struct {
	server *Server
	owner  Owner
	uses   int  // requests
	holds  int  // subscriptions and tasks
	left   bool // its session has ended
	used   time.Time
	expiry *time.Timer
}

func (m *member) busy() bool { return m.uses+m.holds > 0 }

// NewPool returns an empty pool for the server of that name. Zero limits mean the defaults. The function start starts a
// process with an ID that is unique among those of the server.
func NewPool(name string, processes int, idle time.Duration, start func(id string, o Owner) *Server) *Pool {
	return &Pool{name: name, max: cmp.Or(processes, DefaultProcesses), idle: cmp.Or(idle, DefaultIdle), start: start}
}

// Acquire returns a process of the owner until its Release. An exclusive one has no other request; it may have
// subscriptions. If the limit of processes is reached, it waits for one that is not in use, which is then stopped.
func (p *Pool) Acquire(ctx context.Context, o Owner, exclusive bool) (Lease, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if p.closed {
			return Lease{}, &DownError{Server: p.name, Err: errors.New("server removed from the gateway")}
		}
		m := p.findLocked(o, exclusive)
		if m == nil && len(p.members)+p.closing < p.max {
			m = p.startLocked(o)
		}
		if m != nil {
			return p.useLocked(m), nil
		}
		if p.waiting >= maxQueued {
			return Lease{}, p.overloaded()
		}
		if err := p.waitLocked(ctx); err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				return Lease{}, p.overloaded()
			}
			return Lease{}, err
		}
	}
}

func (p *Pool) overloaded() error {
	return &OverloadedError{Server: p.name, Reason: fmt.Sprintf("all %d processes are in use", p.max)}
}

// findLocked returns the owner's process that was used last; nil if there is none that can be used.
func (p *Pool) findLocked(o Owner, exclusive bool) *member {
	for _, m := range slices.Backward(p.members) {
		if m.owner == o && !m.left && (!exclusive || m.uses == 0) {
			return m
		}
	}
	return nil
}

func (p *Pool) startLocked(o Owner) *member {
	p.last++
	m := &member{owner: o, server: p.start(fmt.Sprintf("%s#%d", p.name, p.last), o)}
	p.members = append(p.members, m)
	return m
}

func (p *Pool) useLocked(m *member) Lease {
	m.uses++
	if m.expiry != nil {
		m.expiry.Stop()
	}
	p.members = append(slices.DeleteFunc(p.members, func(o *member) bool { return o == m }), m)
	return Lease{Server: m.server, pool: p, member: m}
}

// waitLocked makes room and waits for the next change; the lock is released meanwhile.
func (p *Pool) waitLocked(ctx context.Context) error {
	p.waiting++
	defer func() { p.waiting-- }()
	if p.closing < p.waiting {
		p.evictLocked()
	}
	if p.changed == nil {
		p.changed = make(chan struct{})
	}
	changed := p.changed
	p.mu.Unlock()
	defer p.mu.Lock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *Pool) notifyLocked() {
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// evictLocked stops a process that is not in use: of the caller with the most processes, the least recently used. So a
// caller with many sessions does not stop the processes of the others.
func (p *Pool) evictLocked() {
	of := map[string]int{}
	for _, m := range p.members {
		of[m.owner.Caller]++
	}
	var victim *member
	for _, m := range p.members {
		if !m.busy() && (victim == nil || of[m.owner.Caller] > of[victim.owner.Caller]) {
			victim = m
		}
	}
	if victim != nil {
		p.stopLocked(victim)
	}
}

// stopLocked stops a process in the background.
func (p *Pool) stopLocked(m *member) {
	before := len(p.members)
	p.members = slices.DeleteFunc(p.members, func(o *member) bool { return o == m })
	if len(p.members) == before {
		return // it is being stopped
	}
	if m.expiry != nil {
		m.expiry.Stop()
	}
	p.closing++
	p.wg.Go(func() {
		m.server.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.closing--
		p.calls += m.server.calls.Load()
		p.failed += m.server.failed.Load()
		p.notifyLocked()
	})
}

// settleLocked decides about a process that may no longer be in use: without a session of its own or a connection it is
// stopped, otherwise after its idle time.
func (p *Pool) settleLocked(m *member) {
	p.notifyLocked()
	switch {
	case m.busy():
	case m.left || m.server.Session() == nil:
		p.stopLocked(m)
	default:
		m.used = time.Now()
		m.expiry = time.AfterFunc(p.idle, func() { p.expire(m) })
	}
}

func (p *Pool) expire(m *member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !m.busy() && time.Since(m.used) >= p.idle {
		p.stopLocked(m)
	}
}

// Leave stops the processes of a session that has ended, when they are no longer in use.
func (p *Pool) Leave(session any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range slices.Clone(p.members) {
		if m.owner.Session != session {
			continue
		}
		if m.left = true; !m.busy() {
			p.stopLocked(m)
		}
	}
}

// Of lists the processes of a session.
func (p *Pool) Of(session any) []*Server {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []*Server
	for _, m := range p.members {
		if m.owner.Session == session {
			all = append(all, m.server)
		}
	}
	return all
}

// AddTo adds the figures of the pool to the health of its server.
func (p *Pool) AddTo(h *Health) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.Processes += len(p.members) + p.closing
	h.Waiting += p.waiting
	h.Calls, h.Failed = h.Calls+p.calls, h.Failed+p.failed
	for _, m := range p.members {
		h.InFlight += m.uses
		h.Calls, h.Failed = h.Calls+m.server.calls.Load(), h.Failed+m.server.failed.Load()
	}
}

// Reset stops all processes; the next request of an owner starts a new one.
func (p *Pool) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range slices.Clone(p.members) {
		p.stopLocked(m)
	}
}

// Close stops all processes and waits until they have exited.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.notifyLocked()
	p.mu.Unlock()
	p.Reset()
	p.wg.Wait()
}
