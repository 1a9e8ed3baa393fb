package har

import (
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Pairing finds the request of each response: on the same connection, sent by the other side, with exactly
// its ID.
type Pairing struct {
	requests  map[requestKey]*request
	malformed map[string]bool // connections on which the client sent what a server may be unable to parse
}

// A requestKey identifies a request.
type requestKey struct {
	conn string
	from wire.Side
	id   string
}

// A request is a recorded request.
type request struct {
	seq       int
	response  int // the frame of its response; 0 if there is none
	cancelled bool
}

func NewPairing() *Pairing {
	return &Pairing{requests: map[requestKey]*request{}, malformed: map[string]bool{}}
}

// ConnOf returns the connection of a frame. Transcripts of older versions do not number connections: there it
// is the pipe, or the common part of all streams of an HTTP connection.
func ConnOf(f wire.Frame) string {
	if f.Conn != 0 {
		return strconv.Itoa(f.Conn)
	}
	if _, isHTTP := HTTPMethod(f.Stream); isHTTP {
		return f.Stream[:strings.LastIndexByte(f.Stream, '/')+1]
	}
	return f.Stream
}

// HTTPMethod returns the method of the HTTP exchange of a stream; false if it is a pipe.
func HTTPMethod(stream string) (string, bool) {
	kind, _, _ := strings.Cut(stream[strings.LastIndexByte(stream, '/')+1:], "-")
	switch kind {
	case "post", "get", "delete":
		return strings.ToUpper(kind), true
	}
	return "", false
}

// Note records a message of the client or the server that is not a response.
func (p *Pairing) Note(m mcp.Message) {
	f := m.Frame
	switch {
	case m.IsRequest() && len(m.Rest) == 0:
		p.requests[requestKey{ConnOf(f), f.From, mcp.IDKey(m.ID)}] = &request{seq: f.Seq}
	case m.Method == "notifications/cancelled":
		id, _ := schema.Get(m.Params, "/requestId")
		if r := p.requests[requestKey{ConnOf(f), f.From, mcp.IDKey(id)}]; r != nil && r.response == 0 {
			r.cancelled = true
		}
	}
	if f.From == wire.Client && len(f.Body) > 0 && (len(m.Odd) > 0 || len(m.Rest) > 0) {
		p.malformed[ConnOf(f)] = true
	}
}

// Answer returns the number of the request of a response, 0 if there is none, and what is wrong with it.
func (p *Pairing) Answer(m mcp.Message) (seq int, odd string) {
	f := m.Frame
	r := p.requests[requestKey{ConnOf(f), otherSide(f.From), mcp.IDKey(m.ID)}]
	switch {
	case f.Reply != 0 && (r == nil || r.seq != f.Reply): // of another HTTP connection of the same session
		return f.Reply, ""
	case r == nil && p.malformed[ConnOf(f)] && (m.ID == nil || string(m.ID) == "null"):
		return 0, "" // to what could not be parsed
	case r == nil && m.ID == nil:
		return 0, "response without id matches no request"
	case r == nil:
		return 0, "no request on this connection has the id " + clip.Text(string(m.ID), 80)
	case r.response != 0:
		return 0, "duplicate response to frame " + strconv.Itoa(r.seq) + ": frame " + strconv.Itoa(r.response) +
			" already responded"
	}
	if r.response = f.Seq; r.cancelled {
		odd = "late response: the request was already cancelled"
	}
	return r.seq, odd
}

// Remove evicts requests from before a frame.
func (p *Pairing) Remove(oldest int) {
	for key, r := range p.requests {
		if r.seq < oldest {
			delete(p.requests, key)
		}
	}
}

// otherSide returns the side that responds.
func otherSide(from wire.Side) wire.Side {
	if from == wire.Client {
		return wire.Server
	}
	return wire.Client
}
