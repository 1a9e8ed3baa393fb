// Package wire carries frames between mcptest and an MCP server, exactly as they are.
//
// It records everything and refuses nothing: what a server sends becomes a frame whether or not it is JSON. Judging
// is left to the layers above.
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
	Time   time.Time   // when it was sent or had arrived
	From   Side        // who sent it
	Conn   int         // which connection of the transcript it crossed, from 1; a process has its own; 0 if unknown
	Stream string      // which pipe or HTTP exchange it crossed: "stdio", "post-3", "get-1"
	Status int         // HTTP status, 0 elsewhere
	Header http.Header // HTTP header, nil elsewhere; of the events of a stream only the first has it
	Event  *Event      // set when it came as a server-sent event
	Body   []byte      // the bytes, without the framing
	Fault  string      // what the transport had to do to it: cut at a limit, ended without a newline
	End    bool        // the stream that it names has ended; no frame follows on it
	Err    error       // why the stream ended, if not as it should; never recorded as text of the server's
}

// An Event is the server-sent-event envelope of a frame.
type Event struct {
	ID    string
	HasID bool // an empty id resets the last one, an absent id does not
	Name  string
	Retry time.Duration // 0 when the event did not set it
}
