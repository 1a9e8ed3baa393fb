package mcp

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How a broken stream is taken up again.
const (
	maxResumes   = 10
	defaultRetry = time.Second
	maxRetry     = 30 * time.Second
)

// receiptTimeout is how long a server may take to say that it has a notification.
const receiptTimeout = 5 * time.Second

// ErrOutcomeUnknown is why a call failed whose stream broke after it was sent: it may or may not have been carried out.
var ErrOutcomeUnknown = errors.New("the stream ended before the answer; whether the call was carried out is unknown")

// noteStream remembers the header of a stream and the place in it, so that it can be taken up from there.
func (s *Session) noteStream(f wire.Frame) {
	if f.Header == nil && f.Event == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.byStream[f.Stream]
	if c == nil {
		return
	}
	if f.Header != nil {
		c.status, c.header = f.Status, f.Header
	}
	if f.Event == nil {
		return
	}
	if f.Event.HasID {
		c.last.ID = f.Event.ID
	}
	if f.Event.Retry > 0 {
		c.last.Retry = f.Event.Retry
	}
}

// streamEnded ends the call that still waited for an answer on the stream, or takes the stream up again.
func (s *Session) streamEnded(f wire.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.byStream[f.Stream]
	if c == nil {
		s.receiptLocked(f)
		return
	}
	if s.target.Transport() == wire.HTTPWithSSE && f.Err == nil && f.Status/100 == 2 {
		delete(s.byStream, f.Stream) // its answer comes on the other stream
		return
	}
	if s.resumeLocked(c, f) {
		return
	}
	s.endLocked(c, "failed", s.streamError(c, f))
}

// streamError tells why no answer can come on a stream any more.
func (s *Session) streamError(c *call, f wire.Frame) error {
	switch {
	case f.Err != nil:
		var limit *wire.LimitError
		var known *wire.Error
		if f.Event != nil || (c.last.ID != "" && !errors.As(f.Err, &limit)) {
			return &wire.Error{Target: s.target.String(), Doing: "call", Err: errors.Join(ErrOutcomeUnknown, f.Err)}
		}
		if errors.As(f.Err, &known) {
			return known
		}
		return &wire.Error{Target: s.target.String(), Doing: "call", Err: f.Err}
	case f.Status == 0 || (f.Event != nil && f.Status/100 == 2):
		return &wire.Error{Target: s.target.String(), Doing: "call", Err: ErrOutcomeUnknown}
	}
	return &wire.Error{Target: s.target.String(), Doing: "call", Hint: statusHint(f, s.sessionID != ""),
		Err: &wire.StatusError{Status: f.Status, Header: f.Header, Body: f.Body}}
}

// statusHint tells what to try against a status that carries no answer.
func statusHint(f wire.Frame, inSession bool) string {
	switch {
	case f.Status == http.StatusUnauthorized && f.Header.Get("Www-Authenticate") != "":
		return "the server wants authorization (" + f.Header.Get("Www-Authenticate") + "): pass --header 'Authorization: Bearer …'"
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden:
		return "the server refuses us: is a token needed? --header 'Authorization: Bearer …'"
	case f.Status == http.StatusNotFound && inSession:
		return "the server has ended the session: connect again"
	case f.Status == http.StatusNotFound:
		return "is the path right? Many servers answer at /mcp, older ones at /sse"
	case f.Status/100 == 2:
		return "the server took the request but gave no JSON-RPC answer: is this an MCP endpoint?"
	case f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable:
		if after := f.Header.Get("Retry-After"); after != "" {
			return "the server is busy and asks to be tried again after " + after
		}
		return "the server is busy: try again later"
	}
	return ""
}

// isReceipt tells the body of an exchange that brings no message: what HTTP+SSE answers to a POST.
func (s *Session) isReceipt(f wire.Frame) bool {
	return s.target.Transport() == wire.HTTPWithSSE && f.Event == nil && f.Status/100 == 2
}

// receiptLocked ends the exchange of a message that wants no answer, and notices a refusal of it.
func (s *Session) receiptLocked(f wire.Frame) {
	done := s.oneWay[f.Stream]
	if done == nil {
		return
	}
	delete(s.oneWay, f.Stream)
	close(done)
	if f.Status >= 400 {
		s.noticeLocked(f.Seq, "HTTP %d in answer to a message that wants no answer", f.Status)
	}
}

// post sends a message that wants no answer. Over HTTP it waits for the receipt, so that what is sent next is not
// overtaken by it.
func (s *Session) post(ctx context.Context, f wire.Frame) error {
	if _, overHTTP := s.conn.(wire.Streamer); !overHTTP {
		_, err := s.conn.Send(ctx, f)
		return err
	}
	done := make(chan struct{})
	s.mu.Lock()
	sent, err := s.conn.Send(ctx, f)
	if err == nil {
		s.oneWay[sent.Stream] = done
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-done:
	case <-time.After(receiptTimeout): // a server that keeps it open has it all the same
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.ctx.Done():
	}
	return nil
}

// resumeLocked takes a legacy stream up again after the place that was reached, when the server said that it can.
func (s *Session) resumeLocked(c *call, f wire.Frame) bool {
	streams, ok := s.conn.(wire.Streamer)
	if !ok || s.Era != Legacy || c.last.ID == "" || c.resumes >= maxResumes || f.Status >= 400 || s.closed != nil {
		return false
	}
	c.resumes++
	delete(s.byStream, c.stream)
	wait := c.last.Retry
	if wait == 0 {
		wait = defaultRetry
	}
	header := s.header("", nil, http.Header{"Last-Event-Id": {c.last.ID}})
	s.wg.Go(func() {
		select {
		case <-time.After(min(wait, maxRetry)):
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
