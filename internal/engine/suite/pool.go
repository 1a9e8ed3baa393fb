package suite

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A Dial opens a session with a server of a suite. The server's texts are expanded; offers lists the kinds of server
// requests that tests respond to, since a client must not declare capabilities that it lacks.
type Dial func(ctx context.Context, server *Server, offers Offers) (*mcp.Session, error)

// Offers are the kinds of server requests that tests respond to.
type Offers struct{ Elicitation, Sampling, Roots bool }

// A pool keeps servers running between tests, as far as the restart options of the files allow.
type pool struct {
	borrowed bool

	mu      sync.Mutex
	lines   map[string]*sharedSession
	servers map[string]*occupancy
}

// A sharedSession is one running server. Tests that respond to server requests use it exclusively: in revisions up to
// 2025-11-25 a server request does not name the call that it belongs to.
type sharedSession struct {
	use sync.RWMutex

	mu       sync.Mutex // of the session: held while the server is started
	session  *mcp.Session
	tools    *definitions // of the session
	borrowed bool         // the session is not closed by us
}

func newPool(borrowed bool) *pool {
	return &pool{borrowed: borrowed, lines: map[string]*sharedSession{}, servers: map[string]*occupancy{}}
}

func (p *pool) line(key string) *sharedSession {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lines[key]
	if l == nil {
		l = &sharedSession{borrowed: p.borrowed}
		p.lines[key] = l
	}
	return l
}

// take waits until a test may use the line: exclusively if it responds to server requests.
func (l *sharedSession) take(alone bool) (leave func()) {
	if alone {
		l.use.Lock()
		return l.use.Unlock
	}
	l.use.RLock()
	return l.use.RUnlock
}

// get returns the running session, or starts the server if it is not running or has exited.
func (l *sharedSession) get(ctx context.Context, start func(context.Context) (*mcp.Session, error)) (*mcp.Session,
	error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session != nil && l.session.Err() == nil {
		return l.session, nil
	}
	if l.session != nil {
		_ = l.session.Close() // it has already exited
		l.session = nil
	}
	s, err := start(ctx)
	if err != nil {
		return nil, err
	}
	l.session, l.tools = s, &definitions{}
	return s, nil
}

// isOpen reports whether there is a session. It waits for one that is being opened.
func (l *sharedSession) isOpen() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session != nil
}

func (l *sharedSession) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session == nil || l.borrowed {
		return nil
	}
	s := l.session
	l.session = nil
	return s.Close()
}

// definitions are the tools that a server lists. They are read once per session.
type definitions struct {
	mu    sync.Mutex
	read  bool
	known map[string]json.RawMessage
}

// of returns the definition of a tool; nil if the server does not list it.
func (d *definitions) of(ctx context.Context, s *mcp.Session, tool string) (json.RawMessage, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.read {
		list, err := s.List(ctx, "tools/list")
		if err != nil {
			return nil, err
		}
		d.read, d.known = true, map[string]json.RawMessage{}
		for _, item := range list.Items {
			d.known[item.Name] = item.Raw
		}
	}
	return d.known[tool], nil
}

// close stops the servers whose keys the filter accepts, all at once.
func (p *pool) close(which func(key string) bool) error {
	p.mu.Lock()
	var closing []*sharedSession
	for key, l := range maps.Clone(p.lines) {
		if which(key) {
			closing = append(closing, l)
			delete(p.lines, key)
		}
	}
	p.mu.Unlock()
	errs := make([]error, len(closing))
	var wg sync.WaitGroup
	for i, l := range closing {
		wg.Go(func() { errs[i] = l.close() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// release ends all sessions for a process that exits, see mcp.Session.Release.
func (p *pool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		if l.mu.TryLock() { // a server that is being started ends with this process
			if l.session != nil && !l.borrowed {
				_ = l.session.Release()
			}
			l.mu.Unlock()
		}
	}
}
