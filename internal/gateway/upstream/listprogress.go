package upstream

import (
	"context"
	"sync"
)

// listProgress counts the announced changes of a server's lists, and up to which of them the lists have been read.
type listProgress struct {
	mu        sync.Mutex
	announced int64
	read      int64
	session   string        // the HTTP session in which they were read
	change    chan struct{} // closed when read changes
}

func (p *listProgress) init() { p.change = make(chan struct{}) }

// announce records that the lists may have changed.
func (p *listProgress) announce() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.announced++
}

// current returns the number of announced changes.
func (p *listProgress) current() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.announced
}

// expired reports whether the lists were read in another HTTP session.
func (p *listProgress) expired(session string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.read == p.announced && p.session != session
}

// done records that the lists have been read after this number of announced changes.
func (p *listProgress) done(announced int64, session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read, p.session = announced, session
	close(p.change)
	p.change = make(chan struct{})
}

// await waits until everything that has been announced so far has been read. Later announcements do not extend it, so
// that a server that sends them all the time does not stop its callers.
func (p *listProgress) await(ctx, server context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for wanted := p.announced; p.read < wanted; {
		change := p.change
		p.mu.Unlock()
		var err error
		select {
		case <-change:
		case <-ctx.Done():
			err = context.Cause(ctx)
		case <-server.Done():
			err = context.Cause(server)
		}
		p.mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}
