package wire

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// An eventReader cuts a stream into server-sent events as the HTML standard has it: lines end with LF, CRLF or CR, an
// event ends with an empty line.
type eventReader struct {
	in     *bufio.Reader
	limit  int
	skipLF bool // the last line ended with CR; an LF that follows belongs to it
	began  bool
	size   int // bytes of the current event
}

func newEventReader(r io.Reader, limit int) *eventReader {
	return &eventReader{in: bufio.NewReaderSize(r, 32<<10), limit: limit}
}

// next returns the next event. An event without data is returned too: its id and retry matter. At the end of the
// stream it returns the error of the reader; an event that was cut off comes first, with a Fault.
func (e *eventReader) next() (Frame, error) {
	event := &Event{}
	var data []byte
	var some, hasData bool
	e.size = 0
	for {
		line, err := e.line()
		if err != nil {
			if some && err == io.EOF {
				return Frame{Event: event, Body: data, Fault: "the stream ended inside this event"}, nil
			}
			return Frame{}, err
		}
		if e.size > e.limit {
			return Frame{Event: event, Body: data[:min(cutKeep, len(data))], Fault: "event over the limit"}, &LimitError{Limit: e.limit}
		}
		if len(line) == 0 {
			if some {
				return Frame{Event: event, Body: data}, nil
			}
			continue
		}
		if e.field(line, event, &data, &hasData) {
			some = true
		}
	}
}

// field takes in one line of an event and reports whether it was more than a comment.
func (e *eventReader) field(line []byte, event *Event, data *[]byte, hasData *bool) bool {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if *hasData {
			*data = append(*data, '\n')
		}
		*data, *hasData = append(*data, value...), true
	case "event":
		event.Name = string(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			event.ID, event.HasID = string(value), true
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			event.Retry = time.Duration(ms) * time.Millisecond
		}
	default:
		return false
	}
	return true
}

// line returns the next line without its end. It never waits for the byte after a CR.
func (e *eventReader) line() ([]byte, error) {
	if !e.began {
		e.began = true
		if bom, err := e.in.Peek(3); err == nil && string(bom) == "\uFEFF" {
			_, _ = e.in.Discard(3)
		}
	}
	var line []byte
	for {
		b, err := e.in.ReadByte()
		if err != nil {
			return nil, err
		}
		e.size++
		if e.skipLF {
			e.skipLF = false
			if b == '\n' {
				continue
			}
		}
		if b == '\r' || b == '\n' {
			e.skipLF = b == '\r'
			return line, nil
		}
		if line = append(line, b); len(line) > e.limit {
			return line[:cutKeep], nil
		}
	}
}
