// Package recording reads the recorded messages between a client and a server as exchanges: each request with its
// response, and what the server sent in between. Both eras have the same form: an input_required result and its retry
// are one exchange with a request of the server.
//
// A recording may come from someone else. It is data only: no command or URL in it is used.
package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Limits of a recording.
const (
	MaxBytes  = 128 << 20 // of the file
	MaxFrames = 200_000
	maxDepth  = 64 // nesting of a message; deeper ones are skipped
)

// A Session is the content of a recording.
type Session struct {
	Exchanges []*Exchange // the requests of the client, in order
	Events    []*Event    // messages of the server that belong to no request
	Skipped   int         // frames that are not messages, or nested too deeply

	Protocol     string          // the revision that was used; empty if unknown
	Capabilities json.RawMessage // of the client; nil if unknown
}

// An Exchange is a request of the client.
type Exchange struct {
	Index    int // in Session.Exchanges
	Seq      int // number of the frame of the request
	Conn     int // number of the connection
	Era      spec.Era
	Method   string
	Params   json.RawMessage // without _meta, inputResponses and requestState; nil if there are none
	Progress bool            // the client requested progress
	Result   json.RawMessage
	Error    *mcp.RPCError
	Steps    []*Step // what the server sent before the response, in order
	Started  time.Time
	Duration time.Duration
}

// A Step is a message of the server that belongs to an exchange.
type Step struct {
	After   time.Duration // since the request
	Method  string
	Params  json.RawMessage
	Request bool            // a request to the client, otherwise a notification
	Round   int             // of a request in an input_required result: which of the results, from 1
	Key     string          // of such a request: its name
	Reply   json.RawMessage // the result of the client; nil if there is none
	Refused *mcp.RPCError   // the error of the client
}

// An Event is a message of the server that belongs to no request.
type Event struct {
	Step
	Follows *Exchange // the exchange that ended last; nil if it came before the first one after the handshake
}

// Answered reports whether the server responded.
func (x *Exchange) Answered() bool { return x.Result != nil || x.Error != nil }

// Key identifies equal requests: the method and the canonical parameters.
func (x *Exchange) Key() string { return Key(x.Method, x.Params) }

// Key returns the key of a request. Params must not have _meta, inputResponses and requestState.
func Key(method string, params json.RawMessage) string {
	if len(params) == 0 {
		params = json.RawMessage("{}")
	}
	return method + " " + Canonical(params)
}

// Canonical returns a JSON value with sorted names and without white space. Numbers keep their digits.
func Canonical(value json.RawMessage) string {
	v := jsontext.Value(value).Clone()
	if err := v.Format(jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)); err != nil {
		return string(value)
	}
	return string(v)
}

// ReadFile reads a transcript file.
func ReadFile(name string) (*Session, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a pipe or a device could block, or never end
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	if info.Size() > MaxBytes {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, MaxBytes>>20)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// Read reads a transcript.
func Read(r io.Reader) (*Session, error) {
	b := newBuilder()
	limited := &io.LimitedReader{R: r, N: MaxBytes + 1}
	frames := 0
	err := wire.ReadTranscript(limited, func(f wire.Frame) error {
		if frames++; frames > MaxFrames {
			return fmt.Errorf("more than %d frames", MaxFrames)
		}
		b.frame(f)
		return nil
	})
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("larger than %d MiB", MaxBytes>>20)
	case err != nil:
		return nil, err
	case len(b.session.Exchanges) == 0:
		return nil, errors.New("the recording has no requests of a client")
	}
	return b.finish(), nil
}

// Of returns the exchanges of frames.
func Of(frames []wire.Frame) *Session {
	b := newBuilder()
	for _, f := range frames[:min(len(frames), MaxFrames)] {
		b.frame(f)
	}
	return b.finish()
}
