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

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How much a session stores about finished requests.
const (
	maxEnded   = 4096 // IDs of finished requests, to recognize a late or duplicate response
	maxBetween = 1000 // messages that arrived while a call was in flight
	maxNotices = 1000
)

// A Session is a session with one server. Its methods are safe for concurrent use.
type Session struct {
	// Set once the session is open.
	Era          spec.Era
	Version      string          // the revision in use
	Why          string          // why this era and revision
	Server       json.RawMessage // serverInfo, unchanged; nil if unknown
	Capabilities json.RawMessage // the declared capabilities; nil if the server did not declare any
	Instructions string
	Handshake    *Exchange // initialize or server/discover; nil if a forced modern session needed none

	target     wire.Target
	conn       wire.Conn
	log        *wire.Transcript
	opts       Options
	caps       json.RawMessage // ours, as declared
	meta       members         // the _meta of every request
	wg         sync.WaitGroup
	ctx        context.Context // of handlers and streams; ends with the session
	cancel     context.CancelFunc
	negotiated atomic.Pointer[negotiated]
	tasks      receivedTasks

	mu          sync.Mutex
	nextID      int64
	pending     map[int64]*call
	byStream    map[string]*call
	formerIDs   []string              // of expired HTTP sessions that were replaced
	byToken     map[string]*call      // calls with a progress token chosen by the caller
	oneWay      map[string]chan error // HTTP exchanges without a response; notified when they end
	getStream   getStream
	probing     bool             // violations detected now are caused by our probe
	negotiating bool             // the era of a process is being detected
	byOwnID     map[string]*call // calls with an ID that we would not issue
	loose       []string         // the IDs that responses to the last raw frame may have
	ended       map[int64]string // how recent requests ended
	endedRing   []int64
	serving     map[string]context.CancelFunc // requests of the server in flight, by ID
	handling    int                           // requests of the server that a user may have to answer
	listeners   map[int64]*Subscription
	headers     map[string][]headerParam // of tools, from their list
	notices     []Notice
	partial     partialMessage // of the goroutine that takes a frame
	closed      error
	once        sync.Once
	renewing    chan struct{} // held while a new session is started to replace an expired one
	output      unusableOutput
}

func newSession(conn wire.Conn, target wire.Target, log *wire.Transcript, opts *Options) *Session {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Session{target: target, conn: conn, log: log, opts: *opts, ctx: ctx, cancel: cancel,
		pending: map[int64]*call{}, byStream: map[string]*call{}, byToken: map[string]*call{},
		byOwnID: map[string]*call{}, oneWay: map[string]chan error{}, ended: map[int64]string{},
		serving: map[string]context.CancelFunc{}, listeners: map[int64]*Subscription{},
		headers: map[string][]headerParam{}}
	s.renewing = make(chan struct{}, 1)
	s.negotiated.Store(&negotiated{})
	s.wg.Go(s.receive)
	return s
}

// Target returns the server of the session.
func (s *Session) Target() wire.Target { return s.target }

// Transcript returns the transcript of the session; nil if there is none.
func (s *Session) Transcript() *wire.Transcript { return s.log }

// Notices lists the violations detected so far, the first thousand of them.
func (s *Session) Notices() []Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Notice(nil), s.notices...)
}

// Stderr returns the last stderr output of a child process.
func (s *Session) Stderr() string {
	if child, ok := s.conn.(wire.Child); ok {
		return child.Stderr()
	}
	return ""
}

// Usage returns the resource usage of the server process and its descendants; false if there is no process, or
// if it cannot be measured.
func (s *Session) Usage() (wire.Usage, bool) {
	child, ok := s.conn.(wire.Child)
	if !ok || child.Pid() <= 0 {
		return wire.Usage{}, false
	}
	return wire.UsageOf(child.Pid(), len(s.target.Supervisor) > 0)
}

// A negotiated is the revision and metadata in use. It changes in steps while frames already arrive, so it is
// swapped as a whole.
type negotiated struct {
	era       spec.Era
	version   string
	sessionID string
}

// setNegotiated sets the revision, before the first request that depends on it.
func (s *Session) setNegotiated(revision string) {
	s.adoptManner(negotiated{era: spec.EraOf(revision), version: revision})
	s.caps = s.opts.capabilities(revision)
	s.meta = splitMembers(s.standingMeta())
}

// adoptManner changes the revision and metadata in use.
func (s *Session) adoptManner(m negotiated) {
	s.Era, s.Version = m.era, m.version
	s.negotiated.Store(&m)
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

// take dispatches each message of a frame.
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
		if !s.isEcho(m) {
			s.serve(m)
		}
	case m.IsNotification():
		s.notified(m)
	case m.IsResponse():
		s.deliverResponse(m)
	case m.Frame.Fault == wire.FaultCut:
		// The end of the stream follows, and with it a better reason.
	case m.ID != nil || (m.Frame.Err != nil && m.Frame.Body[0] == '{'):
		s.deliverResponse(m) // a malformed response still ends its call
	default:
		s.onUnusable(m)
	}
}

// fail ends everything: the connection was lost.
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
	if len(s.notices) >= maxNotices || s.probing {
		return
	}
	n := Notice{Text: fmt.Sprintf(format, args...), Frame: frame}
	s.notices = append(s.notices, n)
	if s.opts.OnNotice != nil {
		s.opts.OnNotice(n)
	}
}

// Done is closed when the connection was lost or the session was closed.
func (s *Session) Done() <-chan struct{} { return s.ctx.Done() }

// ErrClosed is the error of requests in a session that was closed.
var ErrClosed = errors.New("the session is closed")

// CloseFast limits each step of ending the server process in Close to grace, if there is a process.
func (s *Session) CloseFast(grace time.Duration) {
	if child, ok := s.conn.(wire.Child); ok {
		child.CloseFast(grace)
	}
}

// Close ends the session as its era requires and waits until all of it has ended.
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

// Release ends the session for a caller that exits: a supervisor ends the server process, step by step like
// Close, without waiting for it. Sessions without a supervisor are closed.
func (s *Session) Release() error {
	child, ok := s.conn.(wire.Child)
	if !ok || !child.Release() {
		return s.Close()
	}
	s.once.Do(s.cancel)
	return nil
}

// deleteSession ends the session on a legacy HTTP server.
func (s *Session) deleteSession() {
	streams, ok := s.conn.(wire.Streamer)
	if m := s.negotiated.Load(); !ok || m.sessionID == "" || m.era != spec.Legacy {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_, _ = streams.Delete(ctx, s.header("", nil, http.Header{}))
}

// ID returns the ID of the HTTP session, which changes if it expires; "" if there is none.
func (s *Session) ID() string { return s.negotiated.Load().sessionID }

// Err returns why the session has ended: the connection was lost, or it was closed. It is nil while requests
// can be sent.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
