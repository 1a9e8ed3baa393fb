package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// sessionPool are the sessions of a round.
type sessionPool struct {
	semaphore           // held while shared state is used or changed
	starts    semaphore // held while a process is started
	shared    *mcp.Session
	count     int
	caps      json.RawMessage // what the server declared in the first handshake
	all       []*mcp.Session  // open ones
	first     *mcp.Session    // the first session, stored for its handshake
	names     map[*mcp.Session]string
	load      float64      // of this machine after the first handshake
	opened    atomic.Int64 // nanoseconds that the slowest session took to open, with the start of its process

	scratch chan scratch  // while no check uses it
	spoiled chan struct{} // closed when one of these was broken
	spoil   sync.Once
	deaf    atomic.Bool    // the server did not respond in one of these: no more are passed on
	group   sync.WaitGroup // sessions that are being closed
}

// A scratch is a session that checks may break.
type scratch struct {
	*mcp.Session
	used bool // by a check
}

// settle sets the first session of the round, which determines the revision.
func (r *revisionRun) settle(s *mcp.Session, spoken string) {
	r.sessions.shared, r.sessions.first, r.sessions.caps = s, s, s.Capabilities
	r.sessions.load = systemLoad()
	known, ok := spec.Find(spoken)
	if !ok && s.Era == spec.Legacy {
		known, ok = r.nearest(spoken), true
		r.protocol = known.ID
	}
	if r.protocol == mcp.Auto {
		r.protocol = s.Version
	}
	if t := s.Target(); t.Kind != "" {
		r.target.Kind = t.Kind // it was determined in the meantime
	}
	if !ok {
		known = spec.Newest()
		known.ID = spoken
	}
	r.validator.mu.Lock()
	r.revision = known
	r.validator.mu.Unlock()
	r.validator.settled()
}

// nearest returns the revision for a server that selected one that does not exist, which LIFE-002 and LIFE-003 report: the
// requested one, or the first one for a draft before it.
func (r *revisionRun) nearest(spoken string) spec.Revision {
	id := spec.NewestLegacy
	if requested, ok := spec.Find(r.protocol); ok && requested.Era == spec.Legacy {
		id = requested.ID
	}
	if spoken == spec.Draft2024 {
		id = spec.November2024
	}
	return spec.Of(id)
}

// declares reports whether the server declares a capability.
func (r *revisionRun) declares(path string) bool {
	raw := At(r.sessions.caps, "/"+path)
	return raw != nil && string(raw) != "false" && string(raw) != "null"
}

// session returns the shared session, or a new one if the server was lost.
func (r *revisionRun) session(ctx context.Context) (*mcp.Session, error) {
	if err := r.sessions.take(ctx); err != nil {
		return nil, err
	}
	defer r.sessions.put()
	if s := r.sessions.shared; s != nil && s.Err() == nil {
		return s, nil
	}
	s, err := r.open(ctx, "shared", nil)
	if err != nil {
		return nil, err
	}
	r.sessions.shared = s
	return s, nil
}

// open opens a session; name identifies it in the transcript.
func (r *revisionRun) open(ctx context.Context, name string, change func(*mcp.Options)) (*mcp.Session, error) {
	return r.openAt(ctx, name, change, nil)
}

// openAt is open with a modified target.
func (r *revisionRun) openAt(ctx context.Context, name string, change func(*mcp.Options),
	place func(*wire.Target)) (*mcp.Session, error) {
	r.validator.mu.Lock()
	r.sessions.count++
	name = fmt.Sprintf("%s-%d", name, r.sessions.count)
	r.validator.mu.Unlock()
	opts := r.client()
	if change != nil {
		change(&opts)
	}
	guard := &messageLimiter{report: func() { r.lost.add("", errFlood.Error()) }}
	log := r.opts.Log.Branch(name, func(f wire.Frame) {
		guard.count(f)
		r.validator.record(name, opts.Protocol, f)
	})
	target := r.target
	if place != nil {
		place(&target)
	}
	s, err := r.connectTo(ctx, target, log, &opts)
	if err != nil {
		return nil, err
	}
	guard.watch(s)
	if tools := r.list("tools/list"); tools != nil {
		s.Learn(tools)
	}
	r.validator.mu.Lock()
	r.sessions.all = append(r.sessions.all, s)
	r.sessions.names[s] = name
	r.validator.mu.Unlock()
	return s, nil
}

// connectTo connects. It starts at most as many processes at a time as there are processors, so that none times out
// while it waits for its turn.
func (r *revisionRun) connectTo(ctx context.Context, target wire.Target, log *wire.Transcript,
	opts *mcp.Options) (*mcp.Session, error) {
	connect := mcp.Connect
	if transportOf(target.Transport()) != OnSSE {
		connect = r.processes.connect
	}
	if target.Transport() == wire.Stdio {
		if err := r.sessions.starts.take(ctx); err != nil {
			return nil, err
		}
		defer r.sessions.starts.put()
	}
	began := time.Now()
	s, err := connect(ctx, target, log, opts)
	if took := int64(time.Since(began)); err == nil && took > r.sessions.opened.Load() {
		r.sessions.opened.Store(took) // two at a time may store the smaller one: it is an estimate
	}
	return s, err
}

// nameOf returns the name of a session in the transcript.
func (r *revisionRun) nameOf(s *mcp.Session) string {
	r.validator.mu.Lock()
	defer r.validator.mu.Unlock()
	return r.sessions.names[s]
}

// client returns the client options that the server sees: every capability is declared.
func (r *revisionRun) client() mcp.Options {
	version := r.opts.Version
	if version == "" {
		version = "dev"
	}
	timeout := r.opts.Start
	if opened := r.sessions.opened.Load(); opened > 0 { // a server that starts slowly gets more time
		timeout = r.opts.Timeout + 4*time.Duration(opened)
	}
	o := mcp.Options{
		Protocol: r.protocol, Client: mcp.Implementation{Name: "mcptest", Version: version, Title: "mcptest"},
		Timeout: timeout, Tasks: true, Extensions: mcp.AllExtensions(), FailUnmatched: true,
		Roots: func(context.Context) (json.RawMessage, error) { return json.RawMessage(`{"roots":[]}`), nil },
		Sampling: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"ok"},"model":"none",` +
				`"stopReason":"endTurn"}`), nil
		},
		Elicitation: func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"action":"decline"}`), nil
		},
	}
	if r.opts.Declare != nil {
		r.opts.Declare(&o)
	}
	return o
}

// examine drops the shared session if a check that used it failed because the server was lost or no longer responds.
func (l *sessionPool) examine(ctx context.Context, p *CheckContext) {
	s := p.shared
	if s == nil {
		return
	}
	if s.Err() == nil {
		if _, err := p.respondsSoon(ctx, s); err == nil {
			return
		}
	}
	_ = l.take(context.Background()) // opening a session has a time limit
	if l.shared == s {
		l.shared = nil
	}
	l.put()
	l.release([]*mcp.Session{s})
}

// release closes sessions in the background.
func (l *sessionPool) release(sessions []*mcp.Session) {
	for _, s := range sessions {
		l.group.Go(func() { _ = s.Close() })
	}
}

// close closes all sessions and waits for completion.
func (r *revisionRun) close() {
	r.validator.mu.Lock()
	all := r.sessions.all
	r.validator.mu.Unlock()
	for _, s := range all {
		if !r.processes.one() {
			s.CloseFast(closeGrace)
		}
	}
	r.sessions.release(all)
	r.sessions.group.Wait()
	r.removeTemporary()
}

// Limits on what a server may send in one session before it counts as flooding.
const (
	maxFrames = 20_000
	maxBytes  = 128 << 20
)

// errFlood is the reason for closing a session that the server flooded.
var errFlood = errors.New("too many messages from the server")

// A messageLimiter counts what a server sends in one session and closes the session when it exceeds the limit.
type messageLimiter struct {
	mu            sync.Mutex
	frames, bytes int
	over          bool
	session       *mcp.Session
	report        func() // called once, when the limit is exceeded
}

func (f *messageLimiter) count(frame wire.Frame) {
	if frame.From != wire.Server {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frames++
	f.bytes += len(frame.Body)
	if f.over || f.frames < maxFrames && f.bytes < maxBytes {
		return
	}
	f.over = true
	f.report()
	if f.session != nil {
		go f.session.Close()
	}
}

// watch sets the session to close; it may have been flooded already.
func (f *messageLimiter) watch(s *mcp.Session) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.session = s
	if f.over {
		go s.Close()
	}
}
