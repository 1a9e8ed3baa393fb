// Package upstream manages the servers behind the gateway: each is connected once and kept connected, restarted with
// backoff when it crashes, monitored by health checks, and protected from overload.
package upstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// Options configure a server. The zero value of each is its default.
type Options struct {
	Client   mcp.Implementation // the client information
	Protocol string             // the protocol revision; empty means negotiation
	BothEras bool               // use the client's own era with a server that supports both
	Timeout  time.Duration      // request timeout; 0 means 60 s
	InFlight int                // maximum requests in flight; 0 means 64
	Queue    int                // maximum queued requests; 0 means 256
	Health   time.Duration      // idle time before a health check; 0 means 15 s
	Log      *slog.Logger
	Frames   *wire.Transcript // where frames are recorded; nil means nowhere
	Stderr   *StderrLog       // where stderr output is kept; nil means a log of its own

	Isolation Isolation     // which clients share a process; empty means Shared. It is for the owner of the server
	Processes int           // maximum processes of callers and sessions; 0 means DefaultProcesses
	Idle      time.Duration // how long such a process may be idle; 0 means DefaultIdle

	// Account returns the credentials of a process; nil adds none.
	Account func(o Owner) wire.Credentials
	// Authorize is called before each request of a caller. It returns which account of the caller to use; an error means
	// that nothing is sent. Nil authorizes everything.
	Authorize func(ctx context.Context, caller string) (account string, err error)
	OwnLists  bool // with Authorize: each caller sees only what the server lists for its own account

	ID       string        // of a process of a pool; empty means the name of the server
	Quiet    bool          // its lists are not read
	LogLevel func() string // the log level that is set in each new legacy session; nil or "" means none

	// Around wraps each request, for example to trace it; nil means no wrapper.
	Around func(ctx context.Context, s *Server, r Request, next Sender) (*mcp.Message, spec.Era, error)

	// OnLists receives the lists of a session before anything else happens with them. It must return quickly:
	// AwaitLists waits for it.
	OnLists func(s *Server, session *mcp.Session, surface *mcp.Surface)
	// Recheck returns how often the lists are read although no change was announced; 0 or nil means never.
	Recheck func() time.Duration

	OnSurface func(s *Server)             // its lists have been read again
	OnState   func(s *Server, up bool)    // it is up or down
	OnUpdated func(s *Server, uri string) // a subscribed resource has changed
	// OnAsk responds to server requests while no client request is in flight; nil rejects them.
	OnAsk   func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	OnStray func(s *Server, era spec.Era, about mcp.Message) // a notification that belongs to no request
	// OnQuestion is called when a process sends a request that was assigned to a request of this owner; nil means never.
	OnQuestion func(s *Server, owner any)
	// TaskInput returns who responds to server requests about a task; nil if unknown.
	TaskInput func(s *Server, task string) Input
}

// A Server is one server behind the gateway.
type Server struct {
	Name   string
	ID     string // unique among the processes of all servers
	target wire.Target
	opts   Options
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	first    *conn       // in the newest revision that the server supports
	second   *conn       // with a legacy revision, if BothEras is set; started on demand
	alone    atomic.Bool // no second line is possible: the server allows one process at a time
	places   chan struct{}
	waiting  atomic.Int64
	starting atomic.Int64 // requests that wait for the server to start
	breaker  breaker
	surface  atomic.Pointer[mcp.Surface]
	tasks    atomic.Bool // see MakesTasks
	listed   listProgress
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
	s.ID = cmp.Or(s.opts.ID, name)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.places = make(chan struct{}, s.opts.InFlight)
	s.first = newLine(s, s.opts.Protocol)
	s.first.quiet = s.opts.Quiet
	s.second = newLine(s, spec.NewestLegacy)
	s.second.quiet = true
	s.subs.init(s)
	s.listed.init()
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
	if o.Stderr == nil {
		o.Stderr = &StderrLog{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// Close stops the server and everything that was started for it.
func (s *Server) Close() {
	s.cancel()
	s.first.stop()
	s.second.stop()
	s.wg.Wait()
}

// Retry connects now, if the server waits to do so because it rejected the last attempt.
func (s *Server) Retry() {
	for _, l := range []*conn{s.first, s.second} {
		select {
		case l.retry <- struct{}{}:
		default: // it will
		}
	}
}

// Target is how the server is reached.
func (s *Server) Target() wire.Target { return s.target }

// Surface is what the server listed last; nil before its first response. It is kept when the server is down.
func (s *Server) Surface() *mcp.Surface { return s.surface.Load() }

// Session is the currently open session in the server's newest era; nil if there is none.
func (s *Server) Session() *mcp.Session { return s.first.open() }

// MakesTasks reports whether the server has declared the tasks extension of the modern era.
func (s *Server) MakesTasks() bool { return s.tasks.Load() }

// Await waits for a session in the era, or in the only one that the server supports. The number of waiting requests is
// limited to the queue size.
func (s *Server) Await(ctx context.Context, era spec.Era) (*mcp.Session, error) {
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

// StartingFor is the error of a request that can no longer wait for the server's lists.
func (s *Server) StartingFor(err error) *StartingError { return s.first.starting(err) }

// lineFor chooses between the two lines to a server that supports both eras.
func (s *Server) lineFor(ctx context.Context, era spec.Era) (*conn, error) {
	if !s.opts.BothEras || era == spec.Modern {
		return s.first, nil
	}
	session, err := s.first.get(ctx)
	if err != nil {
		return nil, err
	}
	if session.Era == spec.Legacy || !speaksLegacy(session) {
		return s.first, nil
	}
	s.second.start()
	if _, err := s.second.get(ctx); errors.Is(err, errAlone) {
		return s.first, nil
	}
	return s.second, nil
}

// errAlone reports that there is no second line.
var errAlone = errors.New("the server allows one process at a time")
