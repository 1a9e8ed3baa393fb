package conform

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Processes is how many processes of a server may run at a time.
type Processes int

// The numbers of processes.
const (
	Unknown Processes = iota // a run finds out
	Many
	One // the server holds a port, a lock file or a profile: a second process exits at its start
)

// processes are the processes that a run has started. Where the server allows one at a time, each start closes the
// others and waits for their exit.
type processes struct {
	turn sync.Mutex // of whoever starts the one process

	mu     sync.Mutex
	allow  Processes
	open   []*mcp.Session
	closed map[*mcp.Session]bool // by the start of another
}

// one reports whether the server allows one process at a time.
func (p *processes) one() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.allow == One
}

// known reports whether it is known how many processes the server allows.
func (p *processes) known() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.allow != Unknown
}

// connect opens a session. A process that fails at its start while another one runs is started again after the exit of
// the others; if it starts then, the server allows one process at a time.
func (p *processes) connect(ctx context.Context, target wire.Target, log *wire.Transcript,
	opts *mcp.Options) (*mcp.Session, error) {
	if p.one() {
		p.turn.Lock()
		defer p.turn.Unlock()
		p.closeAll()
	}
	s, err := mcp.Connect(ctx, target, log, opts)
	if err != nil && p.mayBeInTheWay(ctx, err) && p.closeAll() > 0 {
		if s, _ = mcp.Connect(ctx, target, log, opts); s == nil {
			return nil, err
		}
		p.decide(One)
		err = nil
	}
	if err == nil {
		p.mu.Lock()
		p.open = append(p.open, s)
		p.mu.Unlock()
	}
	return s, err
}

// mayBeInTheWay reports whether another process may be why one has failed at its start.
func (p *processes) mayBeInTheWay(ctx context.Context, err error) bool {
	var exit *wire.ExitError
	return !p.known() && ctx.Err() == nil && (errors.As(err, &exit) || errors.Is(err, context.DeadlineExceeded))
}

// decide notes how many processes the server allows, unless that is known.
func (p *processes) decide(allow Processes) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.allow == Unknown {
		p.allow = allow
	}
}

// closeAll closes the open sessions, waits for the exit of their processes and returns how many there were.
func (p *processes) closeAll() (count int) {
	p.mu.Lock()
	sessions := p.open
	p.open = nil
	if p.closed == nil {
		p.closed = map[*mcp.Session]bool{}
	}
	for _, s := range sessions {
		if s.Err() == nil {
			p.closed[s] = true
			count++
		}
	}
	p.mu.Unlock()
	for _, s := range sessions {
		_ = s.Close()
	}
	return count
}

// wasClosed reports whether a session was closed for the start of another process.
func (p *processes) wasClosed(s *mcp.Session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed[s]
}

// findProcesses finds out how many processes the server allows: it starts a second one, which the first check that may
// break its session gets.
func (r *revisionRun) findProcesses(ctx context.Context) {
	if !r.processes.known() && r.target.Transport() == wire.Stdio {
		if s, err := r.open(ctx, "scratch", nil); err == nil {
			r.sessions.scratch <- scratch{s, false}
		}
	}
	r.processes.decide(Many)
}

// oneByOne runs checks one after the other. The calls that they share are made before a check has a session.
func (r *revisionRun) oneByOne(ctx context.Context, beside, after, last []int) {
	r.slots <- struct{}{}
	p := &CheckContext{Check: &Check{}, Revision: r.revision, Target: r.target, round: r}
	_, _ = p.Called(ctx) // the checks that need them report why there are none
	<-r.slots
	lane, rest := r.inOrder(beside)
	for _, i := range slices.Concat(rest, lane, after, last) {
		r.alone(ctx, i, 1)
	}
}

// needsTwo is why a check was skipped that uses two sessions at a time.
const needsTwo = "the check needs two processes of the server at a time, and the server allows one"

// isCrowded reports whether a session was closed for the start of another process, and notes that the check goes on
// using it.
func (p *CheckContext) isCrowded(s *mcp.Session) bool {
	closed := p.round.processes.wasClosed(s)
	if closed {
		p.crowded.Store(true)
	}
	return closed
}

// uncrowded is the error of a check: one that used a session which was closed for another has shown nothing.
func (p *CheckContext) uncrowded(err error) error {
	if !p.crowded.Load() && !(errors.Is(err, mcp.ErrClosed) && p.round.processes.one()) {
		return err
	}
	p.findings = nil
	return p.Skip("%s", needsTwo)
}
