package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Request is one request to a server, for one client.
type Request struct {
	Method  string
	Params  json.RawMessage // sent unchanged, except for the _meta that the server's era requires
	Era     spec.Era        // of the client
	Manual  bool            // an input_required result is returned to the client
	Timeout time.Duration   // 0 means the server's default
	Owner   any             // the client; server requests are forwarded only if they can belong to a single client
	Caller  string          // the caller of the client
	Trace   string          // the trace of the request; may be empty
	Task    bool            // run it as a legacy task, and wait for its completion

	OnMessage func(mcp.Message) // receives server messages about the request
	Input     Input

	// Admit is called right before each sending of the request, after all waiting for a free slot. An error means
	// that nothing is sent; Do returns it. Nil admits everything.
	Admit func(ctx context.Context) error
}

// maxTries is how often a request that cannot have reached the server is sent.
const maxTries = 3

// A Sender sends a request and returns the response and its era.
type Sender func(ctx context.Context, r Request) (*mcp.Message, spec.Era, error)

// Do sends the request and returns the response, including error responses of the server. An error means that there is
// none.
func (s *Server) Do(ctx context.Context, r Request) (*mcp.Message, spec.Era, error) {
	if s.opts.Around != nil {
		return s.opts.Around(ctx, s, r, s.counted)
	}
	return s.counted(ctx, r)
}

func (s *Server) counted(ctx context.Context, r Request) (*mcp.Message, spec.Era, error) {
	s.calls.Add(1)
	m, era, err := s.do(ctx, r)
	if err != nil && ctx.Err() == nil {
		s.failed.Add(1)
	}
	return m, era, err
}

func (s *Server) do(ctx context.Context, r Request) (*mcp.Message, spec.Era, error) {
	if err := s.breaker.check(s.Name); err != nil {
		return nil, "", err
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, "", err
	}
	defer leave()
	for try := 1; ; try++ {
		l, err := s.lineFor(ctx, r.Era)
		if err != nil {
			return nil, "", err
		}
		session, err := l.get(ctx)
		if err != nil {
			return nil, "", err
		}
		m, sent, err := l.send(ctx, session, r)
		if err == nil {
			s.breaker.worked()
			return m, session.Era, nil
		}
		var refused *notAdmitted
		var overloaded *OverloadedError
		switch {
		case errors.As(err, &refused):
			return nil, session.Era, refused.err
		case errors.As(err, &overloaded):
			return nil, session.Era, err
		case ctx.Err() != nil:
			return nil, session.Era, context.Cause(ctx)
		case errors.Is(err, context.DeadlineExceeded):
			s.breaker.timedOut()
			return nil, session.Era, err
		case isAuthorization(unauthorized(s.Name, err)):
			return nil, session.Era, unauthorized(s.Name, err)
		case sent:
			return nil, session.Era, &LostError{Server: s.Name, Err: err}
		case try == maxTries:
			return nil, session.Era, &DownError{Server: s.Name, Err: err}
		}
	}
}

// enter waits for a free request slot of the server.
func (s *Server) enter(ctx context.Context) (leave func(), err error) {
	leave = func() { <-s.places }
	select {
	case s.places <- struct{}{}:
		return leave, nil
	default:
	}
	if s.waiting.Add(1) > int64(s.opts.Queue) {
		s.waiting.Add(-1)
		return nil, &OverloadedError{Server: s.Name}
	}
	defer s.waiting.Add(-1)
	select {
	case s.places <- struct{}{}:
		return leave, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// kindOf is the method of a request, and the name of its tool or prompt.
func kindOf(r *Request) string {
	var params struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(r.Params, &params) // without a name the method alone
	return r.Method + " " + params.Name
}

// notAdmitted marks the error of Request.Admit.
type notAdmitted struct{ err error }

func (e *notAdmitted) Error() string { return e.err.Error() }

// admission returns the function that the session calls before it sends a request; nil if there is none.
func (r *Request) admission() func(context.Context) error {
	if r.Admit == nil {
		return nil
	}
	return func(ctx context.Context) error {
		if err := r.Admit(ctx); err != nil {
			return &notAdmitted{err}
		}
		return nil
	}
}

// send makes one attempt. Sent reports whether the server may have seen the request.
func (l *conn) send(ctx context.Context, session *mcp.Session, r Request) (m *mcp.Message, sent bool, err error) {
	one := &inFlightRequest{owner: r.Owner, caller: r.Caller, request: &r, onMessage: r.OnMessage, input: r.Input}
	if err := l.inFlight.enter(ctx, one); errors.Is(err, context.DeadlineExceeded) {
		return nil, false, &OverloadedError{Server: l.server.Name, Reason: turnReason}
	} else if err != nil {
		return nil, false, err
	}
	defer l.inFlight.remove(one)
	if hear := r.OnMessage; hear != nil && !l.quiet {
		r.OnMessage = func(m mcp.Message) {
			l.server.changed(m.Method) // a server may announce changes on the stream of any request
			hear(m)
		}
	}
	ex, err := session.Do(ctx, mcp.Request{Method: r.Method, Params: r.Params, Manual: r.Manual, Task: r.Task,
		Timeout: r.Timeout, OnMessage: r.OnMessage, Input: r.Input, Admit: r.admission()})
	if err == nil {
		l.markActive()
		return ex.Reply, true, nil
	}
	var broken *wire.Error
	unsent := ex == nil || errors.As(err, &broken) && broken.Unsent
	return nil, !unsent, err
}
