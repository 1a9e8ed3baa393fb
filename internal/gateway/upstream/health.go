package upstream

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A State is the state of a server.
type State string

// The states of a server.
const (
	Starting State = "starting" // it has not responded or listed anything yet, or is restarting
	Ready    State = "ready"    // it has responded recently
	Degraded State = "degraded" // it is connected but does not respond
	Down     State = "down"     // it cannot be reached
	// it requires a sign-in or other credentials
	Unauthorized State = "unauthorized"
)

// Health is the health of a server.
type Health struct {
	Server   string
	State    State
	Error    string    // why it is not ready
	Since    time.Time // when it entered this state
	Next     time.Time // when the next attempt to connect is made; zero if none is planned
	Revision string    // the protocol revision
	Silence  time.Duration
	InFlight int
	// processes of the server, or sessions with it at a URL: the shared one, and those of callers and sessions
	Processes int
	Waiting   int
	Calls     int64
	Failed    int64 // calls without a response
	OwnLists  bool  // callers have their own accounts there, so that the gateway needs none
}

// Health returns the health of the server. Ready means that it has responded to a request, not that a port is open.
func (s *Server) Health() Health {
	l := s.first
	l.mu.Lock()
	session, err, since, resting, been, next := l.session, l.err, l.since, l.resting, l.been, l.next
	l.mu.Unlock()
	h := Health{Server: s.Name, State: Ready, Since: since, Processes: 1, InFlight: len(s.places),
		Waiting: int(s.waiting.Load()), Calls: s.calls.Load(), Failed: s.failed.Load(),
		OwnLists: s.opts.OwnLists}
	switch {
	case session != nil && session.Err() == nil && s.surface.Load() == nil:
		h.State, h.Error, h.Revision = Starting, "its lists have not been read yet", session.Version
	case session != nil && session.Err() == nil:
		h.Revision, h.Silence = session.Version, l.silence()
		if s.breaker.isOpen() || h.Silence > 3*s.opts.Health {
			h.State, h.Error, h.Since = Degraded, "connected but not responding", time.Now().Add(-h.Silence)
		}
	case err != nil && been && !resting:
		h.State, h.Error = Starting, "restarting: "+err.Error()
	case isAuthorization(err):
		if h.State, h.Error = Unauthorized, err.Error(); h.OwnLists {
			h.Error += "; callers do not need it: they use their own accounts"
		}
	case err != nil:
		h.State, h.Error = Down, err.Error()
	default:
		h.State, h.Error = Starting, "waiting for its first response"
	}
	if resting && session == nil {
		h.Next = next
	}
	return h
}

// Health checks of an idle server.
const (
	pulseTimeout   = 5 * time.Second
	pulseBreak     = time.Second // between two health checks of a server that hangs
	maxFailedPings = 3           // failed health checks after which an idle server is restarted
)

// healthLoop runs health checks on an idle server, as long as the session lasts.
func (s *Server) healthLoop(ctx context.Context, l *conn, session *mcp.Session) {
	missed := 0
	for {
		wait := s.opts.Health
		if s.breaker.isOpen() {
			wait = pulseBreak
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(wait, pulseBreak)):
		}
		if l.silence() < wait && !s.breaker.isOpen() {
			missed = 0
			continue
		}
		if s.ping(ctx, session) {
			l.markActive()
			s.breaker.worked()
			missed = 0
			continue
		}
		if missed++; missed >= maxFailedPings && len(s.places) == 0 && ctx.Err() == nil {
			s.opts.Log.Warn("upstream not responding; restarting", "server", s.Name)
			go func() { _ = session.Close() }() // ends the session, which also ends this loop
			return
		}
	}
}

func (s *Server) ping(ctx context.Context, session *mcp.Session) bool {
	method := "ping"
	if session.Era == spec.Modern {
		method = "server/discover"
	}
	ctx, cancel := context.WithTimeout(ctx, pulseTimeout)
	defer cancel()
	_, err := session.Do(ctx, mcp.Request{Method: method, Timeout: pulseTimeout})
	return err == nil
}
