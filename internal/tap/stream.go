package tap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// A stream is one direction of a pipe or of an HTTP exchange. Only the recorder uses its fields after start.
type stream struct {
	from   wire.Side
	name   string
	conn   int
	stderr bool
	http   bool

	head   *head
	events bool      // the body consists of server-sent events
	zipped bool      // the body is compressed with gzip
	since  time.Time // when the message began
	rest   []byte    // of the message that is not complete
	event  eventCutter
	over   int   // bytes of it that were dropped because it is too large
	lost   int64 // bytes of it, or before it, that were dropped because the recorder was too slow
	some   bool  // a frame of the stream was recorded

	injected *fault.Injection // the fault of the message
}

// Limits of one message in a recording, and of a stderr line.
const (
	maxMessage = wire.DefaultMaxFrame
	maxStderr  = 8 << 10
)

// feed splits the data of an item into frames.
func (s *stream) feed(i item, emit func(wire.Frame)) {
	if i.head != nil {
		s.open(i.head)
	}
	if i.injected != nil {
		s.injected = i.injected
	}
	if s.lost += i.lost; len(s.rest) == 0 && s.over == 0 {
		s.since = i.at
	}
	switch {
	case s.http && !s.events:
		s.add(i.data)
	case s.events:
		s.feedEvents(i, emit)
	default:
		s.feedLines(i, emit)
	}
	if i.end {
		s.finish(i, emit)
	}
}

// open handles the head of an HTTP message.
func (s *stream) open(h *head) {
	s.head = h
	s.zipped = strings.EqualFold(h.header.Get("Content-Encoding"), "gzip")
	isStream := strings.HasPrefix(h.header.Get("Content-Type"), "text/event-stream")
	s.events = s.from == wire.Server && !s.zipped && isStream
}

func (s *stream) limit() int {
	if s.stderr {
		return maxStderr
	}
	return maxMessage
}

// add appends data to the message, up to the limit.
func (s *stream) add(p []byte) {
	n := min(len(p), s.limit()-len(s.rest))
	s.rest = append(s.rest, p[:n]...)
	s.over += len(p) - n
}

func (s *stream) feedLines(i item, emit func(wire.Frame)) {
	for p := i.data; len(p) > 0; {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		s.add(line)
		if p = rest; whole {
			s.emit(wire.Frame{}, emit)
			s.since = i.at
		}
	}
}

// feedEvents records each event when it is complete.
func (s *stream) feedEvents(i item, emit func(wire.Frame)) {
	for p := i.data; len(p) > 0; {
		n, ended := s.event.cut(p)
		s.add(p[:n])
		if p = p[n:]; ended {
			s.emitEvent(emit)
			s.since = i.at
		}
	}
}

// emitEvent records the event in rest; comments alone are no event.
func (s *stream) emitEvent(emit func(wire.Frame)) {
	f, err := wire.Events(bytes.NewReader(s.rest))()
	s.rest = nil
	if err != nil {
		return
	}
	if s.over > 0 {
		f.Fault = "" // only the recording is incomplete
	}
	s.rest = f.Body
	f.Body = nil
	s.emit(f, emit)
}

// finish records what is left at the end of the stream.
func (s *stream) finish(i item, emit func(wire.Frame)) {
	f := wire.Frame{Err: i.err}
	switch {
	case s.http && !s.events:
		if i.err != nil {
			f.Fault = wire.FaultCut
		}
		s.emit(f, emit)
	case len(s.rest) > 0 || s.over > 0:
		f.Fault = wire.FaultCut
		s.emit(f, emit)
	case s.lost > 0 || i.err != nil || s.http && !s.some:
		s.emit(f, emit)
	}
}

// emit records the message in rest as a frame.
func (s *stream) emit(f wire.Frame, emit func(wire.Frame)) {
	f.From, f.Stream, f.Conn, f.Time = s.from, s.name, s.conn, s.since
	if s.rest != nil || !s.http {
		f.Body = append([]byte{}, s.rest...)
	}
	if s.zipped && !s.events {
		f.Body = unzipped(f.Body)
	}
	if s.head != nil {
		f.Status, f.Header = s.head.status, s.head.header
		s.head = nil
	}
	var faults []string
	if f.Fault != "" {
		faults = append(faults, f.Fault)
	}
	if s.over > 0 {
		faults = append(faults, fmt.Sprintf("message of %d bytes; only its first %d are recorded",
			len(s.rest)+s.over, len(s.rest)))
	}
	if s.lost > 0 {
		faults = append(faults, fmt.Sprintf("%d bytes in or before this message are not recorded: recording was too "+
			"slow",
			s.lost))
	}
	if s.injected != nil {
		faults = append(faults, "fault injected: "+s.injected.Rule)
	}
	f.Fault = strings.Join(faults, "; ")
	s.rest, s.over, s.lost, s.some = s.rest[:0], 0, 0, true
	if cap(s.rest) > 1<<20 {
		s.rest = nil
	}
	emit(f)
}

// unzipped returns the content of a compressed body; the body itself if it is damaged.
func unzipped(body []byte) []byte {
	in, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body
	}
	plain, err := io.ReadAll(io.LimitReader(in, maxMessage))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return body
	}
	return plain
}
