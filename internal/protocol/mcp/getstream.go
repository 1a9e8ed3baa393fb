package mcp

import (
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An getStream is the GET stream of a legacy session, on which the server may send requests and notifications.
type getStream struct {
	stream string
	last   wire.Event
	tries  int // consecutive failed attempts to open it
}

func (e *getStream) note(f wire.Frame) {
	if f.Stream == e.stream && f.Event != nil {
		passed(&e.last, f)
		e.tries = 0
	}
}

func (s *Session) isGETStream(stream string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return stream == s.getStream.stream
}

// listen opens the GET stream and returns its name.
func (s *Session) listen(streams wire.Streamer) string {
	header := s.header("", nil, http.Header{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.getStream.stream = streams.Listen(header)
	return s.getStream.stream
}

// listenAgainLocked reopens the GET stream after it was closed, from the last event on. If the server rejected
// it, it is not reopened.
func (s *Session) listenAgainLocked(f wire.Frame) {
	if s.closed != nil || s.getStream.tries >= maxResumes || (f.Status != 0 && !isStream(f)) {
		return
	}
	s.getStream.tries++
	streams := s.conn.(wire.Streamer)
	header := s.header("", nil, http.Header{})
	if s.getStream.last.ID != "" {
		header.Set("Last-Event-Id", s.getStream.last.ID)
	}
	wait := retryAfter(s.getStream.last)
	s.wg.Go(func() {
		select {
		case <-time.After(wait):
		case <-s.ctx.Done():
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closed == nil {
			s.getStream.stream = streams.Listen(header)
		}
	})
}
