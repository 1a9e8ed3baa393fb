package wire

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// An eventReader splits a stream into server-sent events as defined by the HTML standard: lines end with LF,
// CRLF or CR, an event ends with an empty line.
type eventReader struct {
	in     *bufio.Reader
	limit  int
	skipLF bool // the last line ended with CR; an LF that follows belongs to it
	began  bool
	err    error // the read error, once there is one
}

// Events returns a function that reads the next event of a stream; see [Frame] for what it returns. At the end
// of the stream it returns the error of the reader. A message larger than DefaultMaxFrame is truncated.
func Events(r io.Reader) func() (Frame, error) { return newEventReader(r, DefaultMaxFrame).next }

// fieldRoom is the maximum length of a line besides its data.
const fieldRoom = 64

func newEventReader(r io.Reader, limit int) *eventReader {
	return &eventReader{in: bufio.NewReaderSize(r, 32<<10), limit: limit}
}

// next returns the next event. An event without data is also returned: its id and retry matter. At the end of
// the stream it returns the error of the reader; an incomplete event precedes it, with a Fault.
func (e *eventReader) next() (Frame, error) {
	if e.err != nil {
		return Frame{}, e.err
	}
	d := eventDraft{event: &Event{}}
	for {
		line, err := e.line()
		if len(line) > 0 {
			d.field(line)
		}
		switch {
		case len(d.data) > e.limit:
			e.err = &LimitError{Limit: e.limit}
			return d.over(e.limit), nil
		case err != nil:
			e.err = err
			if d.some {
				return Frame{Event: d.event, Body: d.data, Fault: FaultCut}, nil
			}
			return Frame{}, err
		case len(line) == 0 && d.some:
			return Frame{Event: d.event, Body: d.data}, nil
		}
	}
}

// An eventDraft is an event that may get more lines.
type eventDraft struct {
	event   *Event
	data    []byte
	hasData bool
	some    bool // it has more than comments
}

// field processes one line.
func (d *eventDraft) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if d.hasData {
			d.data = append(d.data, '\n')
		}
		d.data, d.hasData = append(d.data, value...), true
	case "event":
		d.event.Name = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			d.event.ID, d.event.HasID = string(value), true
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			d.event.Retry = time.Duration(ms) * time.Millisecond
		}
	default:
		return
	}
	d.some = true
}

// over returns the frame of an event that is too large, with its beginning as evidence.
func (d *eventDraft) over(limit int) Frame {
	return Frame{Event: d.event, Body: bytes.Clone(d.data[:min(cutKeep, limit)]),
		Fault: "event over the limit; only its beginning is kept",
		Err:   &LimitError{Limit: limit}}
}

// line returns the next line without its end, or the incomplete line with the error. It never waits for the
// byte after a CR.
func (e *eventReader) line() ([]byte, error) {
	if !e.began {
		e.began = true
		if bom, err := e.in.Peek(3); err == nil && string(bom) == "\uFEFF" {
			_, _ = e.in.Discard(3)
		}
	}
	var line []byte
	for {
		if _, err := e.in.Peek(1); err != nil {
			return line, err
		}
		part, _ := e.in.Peek(e.in.Buffered())
		if e.skipLF && part[0] == '\n' {
			e.skipLF = false
			_, _ = e.in.Discard(1)
			continue
		}
		e.skipLF = false
		end := bytes.IndexAny(part, "\r\n")
		if end >= 0 {
			line = append(line, part[:end]...)
			e.skipLF = part[end] == '\r'
			_, _ = e.in.Discard(end + 1)
		} else {
			line = append(line, part...)
			_, _ = e.in.Discard(len(part))
		}
		if len(line) > e.limit+fieldRoom {
			return line[:e.limit+fieldRoom+1], &LimitError{Limit: e.limit}
		}
		if end >= 0 {
			return line, nil
		}
	}
}
