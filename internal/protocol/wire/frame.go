// Package wire transports frames between mcptest and an MCP server, unchanged.
//
// It records everything and rejects nothing: whatever a server sends becomes a frame, valid JSON or not.
// Validation is left to the layers above.
package wire

import (
	"net/http"
	"time"
)

// A Side is an end of the connection.
type Side string

// The two ends.
const (
	Client Side = "client"
	Server Side = "server"
)

// A Frame is one message exactly as it crossed the wire.
type Frame struct {
	Seq    int         // position in the transcript, from 1
	Time   time.Time   // when it was sent or received
	From   Side        // who sent it
	Conn   int         // the connection number in the transcript, from 1; each process has its own; 0 if unknown
	Stream string      // the pipe or HTTP exchange: "stdio", "post-3", "get-1"
	Status int         // HTTP status, 0 elsewhere
	Header http.Header // HTTP header, nil elsewhere; only set in the first event of a stream
	Event  *Event      // set when it came as a server-sent event
	Body   []byte      // the bytes, without the framing
	Fault  string      // what the transport changed: truncated at a limit, ended without a newline
	End    bool        // its stream has ended; no frame follows on it
	Reply  int         // the position of the request that it answers; only set in recordings of package tap
	Err    error       // why the stream ended, if abnormally; never recorded as text of the server
}

// An Event is the server-sent-event envelope of a frame.
type Event struct {
	ID    string
	HasID bool // an empty id resets the last one, an absent id does not
	Name  string
	Retry time.Duration // 0 when the event did not set it
}
