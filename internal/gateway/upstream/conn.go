package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A conn is one session with a server, reopened whenever it ends.
type conn struct {
	server *Server
	quiet  bool // its lists are not read
	once   sync.Once
	done   chan struct{}

	answered  atomic.Int64 // when the server last responded, in Unix nanoseconds
	responses atomic.Int64 // number of responses
	inFlight  inFlight
	stderr    *stderrWriter // of the current process; used by store alone
	retry     chan struct{} // has an element if the next attempt should be made now

	mu       sync.Mutex
	begun    bool
	protocol string        // from the first session, so that restarts need no probe
	session  *mcp.Session  // nil while there is none
	changed  chan struct{} // closed at the next change
	resting  bool          // the last attempt failed, and the next one is not soon
	been     bool          // there has been a session
	err      error         // why there is no session
	since    time.Time     // when the session was opened, or lost
	next     time.Time     // when the next attempt is made
}

func newLine(s *Server, protocol string) *conn {
	l := &conn{server: s, protocol: protocol, changed: make(chan struct{}), done: make(chan struct{}),
		retry: make(chan struct{}, 1), since: time.Now()}
	l.inFlight.init()
	return l
}

// start starts the line.
func (l *conn) start() {
	l.once.Do(func() {
		l.mu.Lock()
		l.begun = true
		l.mu.Unlock()
		go l.store()
	})
}

// stop waits until the line has ended; the server's context is done.
func (l *conn) stop() {
	l.once.Do(func() { close(l.done) })
	<-l.done
}

// store opens sessions until the server is closed.
func (l *conn) store() {
	defer close(l.done)
	var patience backoff
	for l.server.ctx.Err() == nil {
		worked, up, begun := false, false, time.Now()
		session, err := l.connect()
		if l.inTheWay(err) {
			l.server.opts.Log.Info("upstream allows one process at a time", "server", l.server.Name)
			l.server.alone.Store(true)
			l.mu.Lock()
			l.notifyLocked()
			l.mu.Unlock()
			return
		}
		if err == nil {
			worked, up = l.watch(session), true
			err = session.Err()
			_ = session.Close()
			l.stderr.end()
		}
		if l.server.ctx.Err() != nil {
			return
		}
		wait, soon := patience.next(time.Now(), time.Since(begun), worked)
		l.backoffWait(err, wait, soon && up) // whether one that failed to restart will come back is unknown
	}
}

// inTheWay reports whether the first process of the server may be why the second one exits at its start: the server
// allows one process at a time.
func (l *conn) inTheWay(err error) bool {
	var exit *wire.ExitError
	return l == l.server.second && errors.As(err, &exit) && l.server.first.open() != nil
}

// connect opens a session.
func (l *conn) connect() (*mcp.Session, error) {
	s := l.server
	l.mu.Lock()
	protocol := l.protocol
	l.mu.Unlock()
	target, stderr := l.withStderr()
	session, err := mcp.Connect(s.ctx, target, s.opts.Frames, &mcp.Options{
		Protocol: protocol, Client: s.opts.Client, Timeout: s.opts.Timeout,
		Roots:       func(ctx context.Context) (json.RawMessage, error) { return l.onRequest(ctx, "roots/list", nil) },
		Sampling:    l.requestHandler("sampling/createMessage"),
		Elicitation: l.requestHandler("elicitation/create"),
		Tasks:       true,
		Extensions:  mcp.AllExtensions(), // so that the server lists everything; what a client can use depends on the client
		LogLevel:    l.logLevel(protocol),
		OnNotification: func(m mcp.Message) {
			l.markActive()
			l.handleUnsolicited(m)
		},
	})
	if err != nil {
		stderr.end()
	} else {
		l.stderr = stderr
	}
	if err != nil && (s.ctx.Err() != nil || l.inTheWay(err)) {
		return nil, err // it was closed meanwhile, or is not needed: not a failure
	}
	if err != nil {
		err = unauthorized(s.Name, err)
		s.opts.Log.Warn("cannot reach upstream", failureAttrs(s.Name, err)...)
		return nil, err
	}
	s.opts.Log.Info("upstream connected", append([]any{"server", s.Name, "revision", session.Version}, s.process()...)...)
	l.markActive()
	return session, nil
}

// process is the attribute of log records for the process of a caller or a session.
func (s *Server) process() []any {
	if s.ID == s.Name {
		return nil
	}
	return []any{"process", s.ID}
}

// logLevel is the log level of a new session. A modern session has none: each request sets its own.
func (l *conn) logLevel(protocol string) string {
	if l.server.opts.LogLevel == nil || spec.EraOf(protocol) != spec.Legacy {
		return ""
	}
	return l.server.opts.LogLevel()
}

// watch publishes the session until it ends, and reports whether there was any response.
func (l *conn) watch(session *mcp.Session) (worked bool) {
	opened := l.responses.Load()
	if !l.quiet {
		l.server.listed.announce() // before anyone can use the session
	}
	if l == l.server.first {
		l.server.tasks.Store(session.DeclaresExtension(mcp.TasksExtension))
	}
	l.mu.Lock()
	l.session, l.err, l.resting, l.been, l.protocol, l.since = session, nil, false, true, session.Version, time.Now()
	l.notifyLocked()
	l.mu.Unlock()
	var followers sync.WaitGroup
	ctx, cancel := context.WithCancel(l.server.ctx)
	if !l.quiet {
		followers.Go(func() { l.follow(ctx, session) })
	} else if l == l.server.first {
		followers.Go(func() { l.server.subs.renew(ctx, session) })
	}
	followers.Go(func() { l.server.healthLoop(ctx, l, session) })
	select {
	case <-session.Done():
	case <-ctx.Done():
	}
	cancel()
	l.mu.Lock()
	l.session, l.err, l.since = nil, session.Err(), time.Now()
	l.notifyLocked()
	l.mu.Unlock()
	if l.server.ctx.Err() == nil {
		l.server.opts.Log.Warn("upstream disconnected", failureAttrs(l.server.Name, session.Err())...)
	}
	if !l.quiet && l.server.opts.OnState != nil {
		l.server.opts.OnState(l.server, false)
	}
	followers.Wait()
	return l.responses.Load() > opened
}

// backoffWait waits before the next attempt; meanwhile requests fail immediately, unless the attempt is soon.
func (l *conn) backoffWait(err error, wait time.Duration, soon bool) {
	if err == nil {
		err = fmt.Errorf("the server has disconnected")
	}
	if isAuthorization(err) { // it would reject the next attempt too
		wait, soon = max(wait, authorizationWait), false
		select {
		case <-l.retry: // of an earlier time
		default:
		}
	}
	l.mu.Lock()
	l.err, l.resting, l.next = err, wait > 0 && !soon, time.Now().Add(wait)
	l.notifyLocked()
	l.mu.Unlock()
	select {
	case <-time.After(wait):
	case <-l.retry:
	case <-l.server.ctx.Done():
	}
	l.mu.Lock()
	l.resting = false
	l.mu.Unlock()
}

func (l *conn) notifyLocked() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// open returns the session if there is one.
func (l *conn) open() *mcp.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session
}

// get waits for a session, at most for the server's timeout if ctx has no deadline. During backoff it fails
// immediately.
func (l *conn) get(ctx context.Context) (*mcp.Session, error) {
	if session := l.open(); session != nil && session.Err() == nil {
		return session, nil
	}
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.server.opts.Timeout)
		defer cancel()
	}
	for {
		l.mu.Lock()
		session, changed, err, resting, next := l.session, l.changed, l.err, l.resting, l.next
		l.mu.Unlock()
		switch {
		case session != nil && session.Err() == nil:
			return session, nil
		case resting && isAuthorization(err):
			return nil, err
		case resting:
			return nil, &DownError{Server: l.server.Name, Err: err, RetryIn: time.Until(next)}
		case l == l.server.second && l.server.alone.Load():
			return nil, errAlone
		case l.server.ctx.Err() != nil:
			return nil, &DownError{Server: l.server.Name, Err: fmt.Errorf("server removed from the gateway")}
		}
		select {
		case <-changed:
		case <-time.After(50 * time.Millisecond): // a session that has just failed is not replaced yet
		case <-l.server.ctx.Done():
		case <-ctx.Done():
			return nil, l.starting(context.Cause(ctx))
		}
	}
}

// starting is the error of a request that could not wait until the server has started.
func (l *conn) starting(err error) *StartingError {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &StartingError{Server: l.server.Name, Restarting: l.been, Elapsed: time.Since(l.since), Err: err}
}

// markActive records that the server has sent a message.
func (l *conn) markActive() {
	l.responses.Add(1)
	l.answered.Store(time.Now().UnixNano())
}

func (l *conn) silence() time.Duration { return time.Since(time.Unix(0, l.answered.Load())) }

// speaksLegacy reports whether a modern server also supports legacy revisions.
func speaksLegacy(s *mcp.Session) bool {
	legacy, _ := discovered(s)
	return legacy
}

// discovered returns what server/discover has reported: whether a legacy revision is supported, and extensions, which
// only modern revisions have.
func discovered(s *mcp.Session) (legacy, extensions bool) {
	if s.Era != spec.Modern || s.Handshake == nil || s.Handshake.Reply == nil {
		return false, false
	}
	var found struct {
		Capabilities struct {
			Extensions map[string]json.RawMessage `json:"extensions"`
		} `json:"capabilities"`
	}
	_ = json.Unmarshal(s.Handshake.Reply.Result, &found)
	return slices.Contains(s.SupportedVersions(), spec.NewestLegacy), len(found.Capabilities.Extensions) > 0
}

// RevisionFor is the revision for a process that only one client uses, if the server supports the one of this session.
// A legacy client gets a legacy revision if the server supports both eras: a call takes up to a quarter less CPU time,
// and with a single client, nothing needs what the modern era adds, except for extensions.
func RevisionFor(session *mcp.Session, client spec.Era) string {
	if legacy, extensions := discovered(session); client == spec.Legacy && legacy && !extensions {
		return spec.NewestLegacy
	}
	return session.Version
}
