// Package upstream keeps the servers behind the gateway at hand: each is connected once and kept warm, restarted with
// growing patience when it dies, asked for signs of life, and spared more requests than it can take.
package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// Options say how a server is kept. The zero value of each is its default.
type Options struct {
	Client   mcp.Implementation // who we say we are
	Protocol string             // the revision to speak; empty finds out
	BothEras bool               // speak the client's own era with a server that has both
	Timeout  time.Duration      // silence that fails a request; 0 means 60 s
	InFlight int                // requests under way at most; 0 means 64
	Queue    int                // requests that wait for their turn at most; 0 means 256
	Health   time.Duration      // silence after which a sign of life is asked for; 0 means 15 s
	Log      *slog.Logger
	Frames   *wire.Transcript // where the frames are recorded; nil is nowhere

	// Around stands around each request, such as to trace it; nil is nothing.
	Around func(ctx context.Context, s *Server, r Request, next Sender) (*mcp.Message, mcp.Era, error)

	OnSurface func(s *Server)             // its lists have been read anew
	OnState   func(s *Server, up bool)    // it can be reached, or no longer
	OnUpdated func(s *Server, uri string) // a resource that is subscribed to has changed
	// OnAsk answers what the server asks while no request is under way; nil refuses it.
	OnAsk   func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	OnStray func(s *Server, era mcp.Era, about mcp.Message) // a notification that belongs to no request
	// TaskInput is who answers what the server asks about a task; nil if nobody is known.
	TaskInput func(s *Server, task string) Input
}

// A Server is one server behind the gateway.
type Server struct {
	Name   string
	target wire.Target
	opts   Options
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	first    *line       // in the newest revision that the server speaks
	second   *line       // in the older era, where BothEras wants it; started when it is needed
	alone    atomic.Bool // there cannot be a second: the server allows one process at a time
	places   chan struct{}
	waiting  atomic.Int64
	starting atomic.Int64 // requests that wait for the server to start
	breaker  breaker
	surface  atomic.Pointer[mcp.Surface]
	subs     subscriptions
	calls    atomic.Int64
	failed   atomic.Int64
}

// Start connects to a server in the background and keeps it until Close.
func Start(name string, target wire.Target, opts *Options) *Server {
	s := &Server{Name: name, target: target}
	if opts != nil {
		s.opts = *opts
	}
	s.setDefaults()
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.places = make(chan struct{}, s.opts.InFlight)
	s.first = newLine(s, s.opts.Protocol)
	s.second = newLine(s, mcp.NewestLegacy)
	s.second.quiet = true
	s.subs.init(s)
	s.first.start()
	return s
}

func (s *Server) setDefaults() {
	o := &s.opts
	o.Timeout = timeout.Or(o.Timeout)
	if o.InFlight == 0 {
		o.InFlight = 64
	}
	if o.Queue == 0 {
		o.Queue = 256
	}
	if o.Health == 0 {
		o.Health = 15 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Close ends the server and everything that was started for it.
func (s *Server) Close() {
	s.cancel()
	s.first.stop()
	s.second.stop()
	s.wg.Wait()
}

// Target is how the server is reached.
func (s *Server) Target() wire.Target { return s.target }

// Surface is what the server listed last; nil before its first answer. It stays when the server goes.
func (s *Server) Surface() *mcp.Surface { return s.surface.Load() }

// Session is the session that is open now in the server's newest era; nil if there is none.
func (s *Server) Session() *mcp.Session { return s.first.open() }

// Await waits for a session in the era, or in the only one that the server has. Those who wait are no more than the
// queue takes.
func (s *Server) Await(ctx context.Context, era mcp.Era) (*mcp.Session, error) {
	if session := s.first.open(); session == nil || session.Err() != nil {
		if s.starting.Add(1) > int64(s.opts.InFlight+s.opts.Queue) {
			s.starting.Add(-1)
			return nil, &OverloadedError{Server: s.Name}
		}
		defer s.starting.Add(-1)
	}
	l, err := s.lineFor(ctx, era)
	if err != nil {
		return nil, err
	}
	return l.get(ctx)
}

// Waiting is how many requests wait for the server to start.
func (s *Server) Waiting() int { return int(s.starting.Load()) }

// StartingFor is the error of a request that cannot wait any longer for what the server lists.
func (s *Server) StartingFor(err error) *StartingError { return s.first.starting(err) }

// lineFor chooses between the two lines to a server that speaks both eras.
func (s *Server) lineFor(ctx context.Context, era mcp.Era) (*line, error) {
	if !s.opts.BothEras || era == mcp.Modern {
		return s.first, nil
	}
	session, err := s.first.get(ctx)
	if err != nil {
		return nil, err
	}
	if session.Era == mcp.Legacy || !speaksLegacy(session) {
		return s.first, nil
	}
	s.second.start()
	if _, err := s.second.get(ctx); errors.Is(err, errAlone) {
		return s.first, nil
	}
	return s.second, nil
}

// errAlone says that there is no second line.
var errAlone = errors.New("the server allows one process at a time")
