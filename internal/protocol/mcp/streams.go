package mcp

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How a broken stream is resumed.
const (
	maxResumes   = 10
	defaultRetry = time.Second
	maxRetry     = 30 * time.Second
	linger       = 2 * time.Second // of a stream that has delivered its response
)

// ErrOutcomeUnknown is the error of a call whose stream broke after it was sent: it may or may not have been
// executed.
var ErrOutcomeUnknown = errors.New("stream closed before the response; the call may or may not have run")

// noteStream stores the header of a stream and the last event ID, so that it can be resumed from there.
func (s *Session) noteStream(f wire.Frame) {
	if f.Header == nil && f.Event == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.getStream.note(f)
	c := s.byStream[f.Stream]
	if c == nil {
		return
	}
	if f.Header != nil && c.status == 0 {
		c.status, c.header = f.Status, f.Header
	}
	c.begun = c.begun || isStream(f)
	if c.last.ID != passed(&c.last, f) {
		c.resumes = 0 // it makes progress
	}
}

// isStream reports whether a frame is part of an event stream.
func isStream(f wire.Frame) bool {
	return f.Event != nil || (f.Status/100 == 2 && strings.HasPrefix(f.Header.Get("Content-Type"), "text/event-stream"))
}

// passed stores the event ID of a frame in its stream and returns it. An incomplete event has none: it must be
// sent again.
func passed(last *wire.Event, f wire.Frame) string {
	if f.Event == nil || f.Fault == wire.FaultCut {
		return last.ID
	}
	if f.Event.HasID {
		last.ID = f.Event.ID
	}
	if f.Event.Retry > 0 {
		last.Retry = f.Event.Retry
	}
	return last.ID
}

// streamEnded ends the call that still waited for a response on the stream, or resumes the stream.
func (s *Session) streamEnded(f wire.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.byStream[f.Stream]
	onlyStream := s.target.Transport() == wire.HTTPWithSSE
	switch {
	case c == nil && onlyStream && strings.HasPrefix(f.Stream, "get-"):
		s.failLocked(s.streamError(&call{begun: true}, f))
	case c != nil && s.closed != nil:
		s.endLocked(c, "failed", s.closed)
	case c == nil && f.Stream == s.getStream.stream:
		s.listenAgainLocked(f)
	case c == nil:
		s.receiptLocked(f)
	case onlyStream && f.Err == nil && f.Status/100 == 2:
		delete(s.byStream, f.Stream) // its response arrives on the other stream
	case !s.resumeLocked(c, f):
		s.endLocked(c, "failed", s.streamError(c, f))
	}
}

// streamError returns why no response can arrive on a stream.
func (s *Session) streamError(c *call, f wire.Frame) error {
	e := wire.Error{Target: s.target.String(), Doing: "call", Err: f.Err}
	var known *wire.Error
	if errors.As(f.Err, &known) {
		e = *known
	}
	var limit *wire.LimitError
	refusal := &wire.StatusError{Status: f.Status, Header: f.Header, Body: f.Body}
	switch {
	case errors.As(f.Err, &limit), e.Unsent:
	case f.Err != nil:
		e.Err = fmt.Errorf("%w (%w)", ErrOutcomeUnknown, e.Err)
	case c.begun && f.Status >= 400:
		e.Err = fmt.Errorf("%w (%w)", ErrOutcomeUnknown, refusal)
	case c.begun:
		e.Err = ErrOutcomeUnknown
	case c.lostSession(f):
		e.Err, e.Hint = &SessionExpiredError{Err: refusal}, "connect again to start a new session"
	default:
		e.Err, e.Hint = refusal, statusHint(s.target, f)
	}
	return &e
}

// lingerLocked closes the stream of a call that has its response, if the server does not end it.
func (s *Session) lingerLocked(c *call, f wire.Frame) {
	if streams, ok := s.conn.(wire.Streamer); ok && f.Event != nil && f.Stream == c.stream {
		stream := c.stream // without it, each frame would be allocated
		time.AfterFunc(linger, func() { streams.Cut(stream) })
	}
}

// resumeLocked resumes a legacy stream after the last event ID, if the server supports it.
func (s *Session) resumeLocked(c *call, f wire.Frame) bool {
	streams, ok := s.conn.(wire.Streamer)
	if !ok || s.negotiated.Load().era != spec.Legacy || c.last.ID == "" || c.resumes >= maxResumes || f.Status >= 400 ||
		s.closed != nil {
		return false
	}
	var limit *wire.LimitError
	if errors.As(f.Err, &limit) {
		return false // it would be sent again
	}
	c.resumes++
	delete(s.byStream, c.stream)
	header := s.header("", nil, http.Header{"Last-Event-Id": {c.last.ID}})
	s.wg.Go(func() {
		select {
		case <-time.After(retryAfter(c.last)):
		case <-c.done:
			return
		case <-s.ctx.Done():
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.pending[c.id] == c {
			c.stream = streams.Listen(header)
			s.byStream[c.stream] = c
		}
	})
	return true
}

// retryAfter returns how long to wait before resuming a stream, as requested by the server.
func retryAfter(last wire.Event) time.Duration {
	if last.Retry == 0 {
		return defaultRetry
	}
	return min(last.Retry, maxRetry)
}
