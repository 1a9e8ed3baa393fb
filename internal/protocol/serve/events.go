package serve

import (
	"net/http"
	"sync"
	"time"
)

// eventDeadline is how long a client may take to read one event.
const eventDeadline = 10 * time.Second

// An eventWriter writes messages as server-sent events; the first one opens the stream.
type eventWriter struct {
	w         http.ResponseWriter
	keepAlive time.Duration

	mu     sync.Mutex
	opened bool
	over   bool
	err    error
	timer  *time.Timer
}

// open starts the stream, if it is not open.
func (s *eventWriter) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.openLocked()
}

func (s *eventWriter) openLocked() {
	if s.opened || s.over {
		return
	}
	s.opened = true
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	s.w.WriteHeader(http.StatusOK)
	s.flushLocked()
	s.timer = time.AfterFunc(s.keepAlive, s.alive)
}

// alive writes a comment, so that neither side takes the idle stream for a broken connection.
func (s *eventWriter) alive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over && s.err == nil {
		s.writeLocked([]byte(":\n\n"))
		s.timer.Reset(s.keepAlive)
	}
}

// send writes one message.
func (s *eventWriter) send(frame []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return ErrDisconnected
	}
	s.openLocked()
	s.eventLocked(frame)
	return s.err
}

func (s *eventWriter) eventLocked(frame []byte) {
	event := make([]byte, 0, len(frame)+32)
	event = append(event, "event: message\ndata: "...)
	for _, c := range frame { // a line break would end the field; in JSON it is only allowed where a space is
		if c == '\n' || c == '\r' {
			c = ' '
		}
		event = append(event, c)
	}
	s.writeLocked(append(event, "\n\n"...))
}

func (s *eventWriter) writeLocked(event []byte) {
	if s.err != nil {
		return
	}
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(eventDeadline))
	if _, s.err = s.w.Write(event); s.err == nil {
		s.flushLocked()
	}
}

func (s *eventWriter) flushLocked() { s.err = http.NewResponseController(s.w).Flush() }

// finish writes the last message if the stream is open, and reports whether it was.
func (s *eventWriter) finish(frame []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened {
		s.eventLocked(frame)
	}
	s.over = true
	return s.opened
}

// stop ends the stream; nothing is written after it.
func (s *eventWriter) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.opened {
		_ = http.NewResponseController(s.w).SetWriteDeadline(time.Time{})
	}
}
