package wire

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
	"unicode/utf8"
)

// A record is a frame as a line of a transcript file. Text is stored as text, anything else as base64, so that
// a body is restored byte for byte.
type record struct {
	Seq     int         `json:"seq"`
	Time    time.Time   `json:"time"`
	Conn    int         `json:"conn,omitempty"` // absent in files of older versions
	From    Side        `json:"from"`
	Stream  string      `json:"stream,omitempty"`
	Reply   int         `json:"reply_to,omitempty"` // the seq of the request, in recordings of package tap
	Status  int         `json:"status,omitempty"`
	Header  http.Header `json:"header,omitempty"`
	Event   *event      `json:"event,omitempty"`
	Body    *string     `json:"body,omitempty"`
	Body64  string      `json:"body64,omitempty"`
	Fault   string      `json:"fault,omitempty"`
	Failure string      `json:"error,omitempty"`
}

type event struct {
	ID      *string `json:"id,omitempty"`
	Name    string  `json:"name,omitempty"`
	RetryMS int64   `json:"retry_ms,omitempty"`
}

// write appends the frame to Out. The caller holds the lock.
func (t *Transcript) write(f Frame) error {
	if t.opts.Redact != nil && f.Header != nil {
		f.Header = t.opts.Redact(f.Header)
	}
	line, err := RecordLine(f)
	if err != nil {
		return err
	}
	if _, err := t.opts.Out.Write(line); err != nil {
		return fmt.Errorf("write transcript: %w", err)
	}
	return nil
}

// WriteTranscript writes frames as a transcript file. Clean redacts each frame; nil writes it unchanged.
func WriteTranscript(w io.Writer, frames []Frame, clean func(Frame) Frame) error {
	for _, f := range frames {
		if clean != nil {
			f = clean(f)
		}
		line, err := RecordLine(f)
		if err != nil {
			return err
		}
		if _, err := w.Write(line); err != nil {
			return fmt.Errorf("write transcript: %w", err)
		}
	}
	return nil
}

// RecordLine returns the frame as a line of a transcript file.
func RecordLine(f Frame) ([]byte, error) {
	r := record{Seq: f.Seq, Time: f.Time, From: f.From, Conn: f.Conn, Stream: f.Stream, Reply: f.Reply,
		Status: f.Status,
		Header: f.Header, Fault: f.Fault}
	if e := f.Event; e != nil {
		r.Event = &event{Name: e.Name, RetryMS: e.Retry.Milliseconds()}
		if e.HasID {
			r.Event.ID = &e.ID
		}
	}
	switch {
	case f.Body == nil:
	case utf8.Valid(f.Body):
		text := string(f.Body)
		r.Body = &text
	default:
		r.Body64 = base64.StdEncoding.EncodeToString(f.Body)
	}
	if f.Err != nil {
		r.Failure = f.Err.Error()
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write transcript: %w", err)
	}
	return append(line, '\n'), nil
}

// ReadTranscript reads a transcript file and calls each for every frame.
func ReadTranscript(r io.Reader, each func(Frame) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			f, parseErr := ParseLine(line, number)
			if parseErr != nil {
				return parseErr
			}
			if err := each(f); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot read it: %s", reason(err))
		}
	}
}

// ParseLine reads one line of a transcript file. The error has its number.
func ParseLine(line []byte, number int) (Frame, error) {
	f, err := parseRecord(line)
	if err != nil {
		return Frame{}, fmt.Errorf("line %d is not a frame of a transcript: %w", number, err)
	}
	return f, nil
}

func parseRecord(line []byte) (Frame, error) {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			return Frame{}, fmt.Errorf("unexpected %s in %q", kind.Value, kind.Field)
		}
		return Frame{}, errors.New("not JSON")
	}
	f := Frame{Seq: r.Seq, Time: r.Time, From: r.From, Conn: r.Conn, Stream: r.Stream, Reply: r.Reply, Status: r.Status,
		Header: r.Header, Fault: r.Fault}
	if r.From != Client && r.From != Server {
		return Frame{}, fmt.Errorf("from: got %q, expected client or server", r.From)
	}
	if e := r.Event; e != nil {
		f.Event = &Event{Name: e.Name, Retry: time.Duration(e.RetryMS) * time.Millisecond}
		if e.ID != nil {
			f.Event.ID, f.Event.HasID = *e.ID, true
		}
	}
	if r.Failure != "" {
		f.Err = fmt.Errorf("%s", r.Failure)
	}
	switch {
	case r.Body != nil:
		f.Body = []byte(*r.Body)
	case r.Body64 != "":
		body, err := base64.StdEncoding.DecodeString(r.Body64)
		if err != nil {
			return Frame{}, fmt.Errorf("body64: %w", err)
		}
		f.Body = body
	}
	return f, nil
}
