package conform

import (
	"context"
	"errors"
	"net/http"
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

// processes are the processes that a run has started, or its sessions over HTTP. Where the server allows one at a time, each
// start closes the others and waits for their exit.
type processes struct {
	turn sync.Mutex // of whoever starts the one process

	mu     sync.Mutex
	allow  Processes
	open   []*mcp.Session
	closed map[*mcp.Session]bool // by the start of another
	visits map[string]func()     // how to end the sessions that are no mcp.Session, by ID; nil for those that were ended
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
	if err != nil && target.Transport() != wire.StreamableHTTP && p.mayBeInTheWay(ctx, err) && p.closeAll() > 0 {
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

// allowOne notes that the server allows one session at a time, after all.
func (p *processes) allowOne() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allow = One
}

// closeAll closes the open sessions, waits for the exit of their processes and returns how many there were.
func (p *processes) closeAll() (count int) { return p.closeOthers(nil) }

// closeOthers is closeAll without one session.
func (p *processes) closeOthers(kept *mcp.Session) (count int) {
	p.mu.Lock()
	var sessions, rest []*mcp.Session
	for _, s := range p.open {
		if s == kept {
			rest = append(rest, s)
		} else {
			sessions = append(sessions, s)
		}
	}
	p.open = rest
	if p.closed == nil {
		p.closed = map[*mcp.Session]bool{}
	}
	for _, s := range sessions {
		if s.Err() == nil {
			p.closed[s] = true
			count++
		}
	}
	var ends []func()
	for id, end := range p.visits {
		if end != nil {
			ends = append(ends, end)
		}
		p.visits[id] = nil
	}
	p.mu.Unlock()
	for _, s := range sessions {
		_ = s.Close()
	}
	for _, end := range ends {
		end()
	}
	return count
}

// wasClosed reports whether a session was closed for the start of another process.
func (p *processes) wasClosed(s *mcp.Session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed[s]
}

// visited notes a session that is no mcp.Session, and how to end it.
func (p *processes) visited(id string, end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.visits == nil {
		p.visits = map[string]func(){}
	}
	p.visits[id] = end
}

// wasEnded reports whether such a session was ended for the start of another.
func (p *processes) wasEnded(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	end, known := p.visits[id]
	return known && end == nil
}

// initializing makes a request. Where the server allows one session at a time, initialize ends the others.
func (p *CheckContext) initializing(s *mcp.Session, method string, request func() (*mcp.Exchange, error)) (*mcp.Exchange,
	error) {
	if method != "initialize" {
		return request()
	}
	p.endOthers(s)
	ex, err := request()
	if err == nil {
		p.noteVisit(ex.Header)
	}
	return ex, err
}

// endOthers ends the other sessions before initialize is sent, on a server over HTTP that allows one at a time.
func (p *CheckContext) endOthers(kept *mcp.Session) {
	if count := &p.round.processes; count.one() && transportOf(p.Target.Transport()) == OnHTTP {
		count.closeOthers(kept)
	}
}

// noteVisit notes the session of a response, which no mcp.Session ends, on such a server.
func (p *CheckContext) noteVisit(h http.Header) {
	id := h.Get("Mcp-Session-Id")
	if id == "" || !p.round.processes.one() || transportOf(p.Target.Transport()) != OnHTTP {
		return
	}
	p.round.processes.visited(id, func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.round.opts.Timeout)
		defer cancel()
		req, err := p.newRequest(ctx, Fetch{Method: http.MethodDelete, Header: http.Header{"Mcp-Session-Id": {id}}})
		if err != nil {
			return
		}
		if resp, err := p.Target.HTTPClient().Do(req); err == nil {
			_ = resp.Body.Close()
		}
	})
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
func (p *CheckContext) needsTwo() string {
	return "the check needs two " + p.round.units() + " of the server at a time, and the server allows one"
}

// unit is what there may be one of at a time.
func (r *run) unit() string {
	if transportOf(r.target.Transport()) == OnHTTP {
		return "session"
	}
	return "process"
}

func (r *run) units() string {
	if r.unit() == "process" {
		return "processes"
	}
	return "sessions"
}

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
	return p.Skip("%s", p.needsTwo())
}
