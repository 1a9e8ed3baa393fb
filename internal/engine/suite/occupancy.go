package suite

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An occupancy is who uses the processes of one server. Tests use several of them beside each other. Where a process
// exits at its start while another one is running, the server may allow one process at a time: from then on each test
// has the server for itself, and its start closes the process of the test before.
type occupancy struct {
	use sync.RWMutex

	mu    sync.Mutex
	alone bool // one test at a time
	lines map[*sharedSession]bool
}

// occupancy returns who uses the server with the key.
func (p *pool) occupancy(key string) *occupancy {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.servers[key]
	if o == nil {
		o = &occupancy{lines: map[*sharedSession]bool{}}
		p.servers[key] = o
	}
	return o
}

// enter waits until a test may use the server.
func (o *occupancy) enter() (leave func()) {
	if o.isAlone() {
		o.use.Lock()
		return o.use.Unlock
	}
	o.use.RLock()
	return o.use.RUnlock
}

func (o *occupancy) isAlone() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.alone
}

// get returns the session of a line, which is started if need be. It reports whether the start failed because of other
// processes: then it is to be tried again, by a test that enters again.
func (o *occupancy) get(ctx context.Context, l *sharedSession,
	start func(context.Context) (*mcp.Session, error)) (s *mcp.Session, again bool, err error) {
	o.mu.Lock()
	alone := o.alone
	o.lines[l] = true
	o.mu.Unlock()
	if alone {
		for _, one := range o.others(l) {
			_ = one.close() // waits for the exit of its process
		}
	}
	s, err = l.get(ctx, start)
	var exit *wire.ExitError
	if errors.As(err, &exit) && !alone && slices.ContainsFunc(o.others(l), (*sharedSession).isOpen) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.alone, again = true, true
	}
	return s, again, err
}

// others are the other lines to the server.
func (o *occupancy) others(l *sharedSession) (others []*sharedSession) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for one := range o.lines {
		if one != l {
			others = append(others, one)
		}
	}
	return others
}

// remove drops a line that is closed.
func (o *occupancy) remove(l *sharedSession) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.lines, l)
}
