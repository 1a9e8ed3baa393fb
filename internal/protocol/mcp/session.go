package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How much a session remembers of what is over.
const (
	keepEnded   = 4096 // ids of finished requests, so that a late or second answer is known as such
	keepBetween = 1000 // messages that came while a call was under way
	keepNotices = 1000
)

// A Session is a conversation with one server. Its methods may be used by many goroutines at once.
type Session struct {
	// Known once the session is open.
	Era          Era
	Version      string          // the revision that is spoken
	Why          string          // why this era and revision
	Server       json.RawMessage // serverInfo, as it came; nil if unknown
	Capabilities json.RawMessage // what the server declared; nil if it did not say
	Instructions string
	Greeting     *Exchange // initialize or server/discover; nil if a forced modern session needed none

	target wire.Target
	conn   wire.Conn
	log    *wire.Transcript
	opts   Options
	caps   json.RawMessage // ours, as declared
	meta   members         // what stands in the _meta of every request
	wg     sync.WaitGroup
	ctx    context.Context // of handlers and streams; ends with the session
	cancel context.CancelFunc
	manner atomic.Pointer[manner]
	tasks  receivedTasks

	mu          sync.Mutex
	nextID      int64
	pending     map[int64]*call
	byStream    map[string]*call
	byToken     map[string]*call      // calls with a progress token that the caller chose
	oneWay      map[string]chan error // HTTP exchanges that bring no answer; told their end
	ear         ear
	probing     bool             // what is noticed now is the fault of our question
	negotiating bool             // the era of a process is being decided
	byOwnID     map[string]*call // calls with an id that we would not give out
	loose       []string         // what the answers to the last frame that was sent as it is may be to
	ended       map[int64]string // how recent requests ended
	endedRing   []int64
	serving     map[string]context.CancelFunc // requests of the server's under way, by id
	handling    int                           // requests of the server that a user may have to answer
	listeners   map[int64]*Subscription
	headers     map[string][]headerParam // of tools, learnt from their list
	notices     []Notice
	partial     patchwork // of whoever takes a frame
	closed      error
	once        sync.Once
	renewing    chan struct{} // held while a new session is started in the place of an expired one
	output      unusableOutput
}

func newSession(conn wire.Conn, target wire.Target, log *wire.Transcript, opts *Options) *Session {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Session{target: target, conn: conn, log: log, opts: *opts, ctx: ctx, cancel: cancel,
		pending: map[int64]*call{}, byStream: map[string]*call{}, byToken: map[string]*call{}, byOwnID: map[string]*call{}, oneWay: map[string]chan error{}, ended: map[int64]string{},
		serving: map[string]context.CancelFunc{}, listeners: map[int64]*Subscription{}, headers: map[string][]headerParam{}}
	s.renewing = make(chan struct{}, 1)
	s.manner.Store(&manner{})
	s.wg.Go(s.receive)
	return s
}

// Target is the server that the session talks to.
func (s *Session) Target() wire.Target { return s.target }

// Transcript is where the session's frames are recorded; nil if nowhere.
func (s *Session) Transcript() *wire.Transcript { return s.log }

// Notices lists the departures noticed so far, the first thousand of them.
func (s *Session) Notices() []Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Notice(nil), s.notices...)
}

// Stderr is the end of what a child process wrote to its standard error.
func (s *Session) Stderr() string {
	if child, ok := s.conn.(wire.Child); ok {
		return child.Stderr()
	}
	return ""
}

// Usage is what the process of the server takes of the machine, with all that it started; false where there is no process,
// or where nothing can be seen of it.
func (s *Session) Usage() (wire.Usage, bool) {
	child, ok := s.conn.(wire.Child)
	if !ok || child.Pid() <= 0 {
		return wire.Usage{}, false
	}
	return wire.UsageOf(child.Pid(), len(s.target.Supervisor) > 0)
}

// A manner is how the session speaks. It is known by steps while frames arrive already, so that it is swapped whole.
type manner struct {
	era       Era
	version   string
	sessionID string
}

// speak fixes the revision, before the first request that depends on it.
func (s *Session) speak(revision string) {
	s.adoptManner(manner{era: EraOf(revision), version: revision})
	s.caps = s.opts.capabilities(revision)
	s.meta = splitMembers(s.standingMeta())
}

// adoptManner changes how the session speaks.
func (s *Session) adoptManner(m manner) {
	s.Era, s.Version = m.era, m.version
	s.manner.Store(&m)
}

// receive reads frames until there are no more.
func (s *Session) receive() {
	if feeder, ok := s.conn.(wire.Feeder); ok {
		feeder.Feed(s.take)
	}
	for {
		f, err := s.conn.Recv(context.Background())
		if err != nil {
			s.fail(err)
			return
		}
		s.take(f)
	}
}

// take hands each message of a frame to where it belongs.
func (s *Session) take(f wire.Frame) {
	s.noteStream(f)
	if onPipe(f) || s.speaks(f) {
		s.checkType(f)
		m := s.assemble(Read(f))
		rest := m.Rest
		m.Rest = nil
		s.dispatch(&m)
		for i := range rest {
			s.dispatch(&rest[i])
		}
	}
	if f.End {
		s.streamEnded(f)
	}
}

// dispatch routes one message.
func (s *Session) dispatch(m *Message) {
	for _, odd := range m.Odd {
		s.notice(m.Frame.Seq, "%s", odd)
	}
	switch {
	case m.IsRequest():
		if !s.cameBack(m) {
			s.serve(m)
		}
	case m.IsNotification():
		s.notified(m)
	case m.IsResponse():
		s.answered(m)
	case m.Frame.Fault == wire.FaultCut:
		// The end of the stream follows, and with it a better reason.
	case m.ID != nil || (m.Frame.Err != nil && m.Frame.Body[0] == '{'):
		s.answered(m) // a broken answer still ends the call that it belongs to
	default:
		s.heardUnusable(m)
	}
}

// fail ends everything: the connection is gone.
func (s *Session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failLocked(err)
}

func (s *Session) failLocked(err error) {
	if s.closed == nil {
		s.closed = err
	}
	for _, c := range s.pending {
		s.endLocked(c, "failed", s.closed)
	}
	for _, sub := range s.listeners {
		sub.end(s.closed)
	}
	s.cancel()
}

func (s *Session) notice(frame int, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noticeLocked(frame, format, args...)
}

func (s *Session) noticeLocked(frame int, format string, args ...any) {
	if len(s.notices) >= keepNotices || s.probing {
		return
	}
	n := Notice{Text: fmt.Sprintf(format, args...), Frame: frame}
	s.notices = append(s.notices, n)
	if s.opts.OnNotice != nil {
		s.opts.OnNotice(n)
	}
}

// Done is closed when the connection is gone or the session was closed.
func (s *Session) Done() <-chan struct{} { return s.ctx.Done() }

// ErrClosed is why requests fail in a session that was closed.
var ErrClosed = errors.New("the session is closed")

// Hurry has Close take no more than grace for each step of ending the process of the server, if there is one.
func (s *Session) Hurry(grace time.Duration) {
	if child, ok := s.conn.(wire.Child); ok {
		child.Hurry(grace)
	}
}

// Close ends the session as its era has it and waits until nothing of it is left.
func (s *Session) Close() error {
	var err error
	s.once.Do(func() {
		s.mu.Lock()
		if s.closed == nil {
			s.closed = ErrClosed
		}
		s.mu.Unlock()
		s.cancel()
		s.deleteSession()
		err = s.conn.Close()
		s.wg.Wait()
	})
	return err
}

// Release ends the session for a caller that exits: a supervisor ends the process of the server, step by step as Close
// does, and nobody waits for it. Sessions without a supervisor are closed.
func (s *Session) Release() error {
	child, ok := s.conn.(wire.Child)
	if !ok || !child.Release() {
		return s.Close()
	}
	s.once.Do(s.cancel)
	return nil
}

// deleteSession tells a legacy HTTP server that we are done.
func (s *Session) deleteSession() {
	streams, ok := s.conn.(wire.Streamer)
	if m := s.manner.Load(); !ok || m.sessionID == "" || m.era != Legacy {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_, _ = streams.Delete(ctx, s.header("", nil, http.Header{}))
}
