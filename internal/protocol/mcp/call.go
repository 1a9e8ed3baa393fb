package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// closeTimeout limits the notifications at the end of a call or a session.
const closeTimeout = 2 * time.Second

// A Request is a call to make.
type Request struct {
	Method     string
	Params     json.RawMessage // sent unchanged, except for what the era adds to _meta; nil sends none
	OnProgress func(Progress)  // requests progress, and is called for it
	Task       bool            // run it as a task if the server supports it
	Manual     bool            // return an input_required or task result instead of following it
	Timeout    time.Duration   // timeout; 0 means the session's
	Header     http.Header     // additional HTTP headers, which override ours

	// OnMessage is called for notifications that belong to this call: by progress token, or by stream. They are
	// then neither stored in Between nor passed to the session's OnNotification.
	OnMessage func(Message)
	// Input answers requests of the server that belong to this call, in place of the session's handlers.
	Input func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// Alone declares that the caller makes no other call meanwhile, so that all requests of the server belong
	// to this call.
	Alone bool
	// Meanwhile, if set, runs on the caller's goroutine once the request is sent: work that need not wait for
	// the response. It must be short.
	Meanwhile func()
	// Admit, if set, is called right before the request is sent, and again before each further round of it. An
	// error ends the call with that error, and nothing is sent.
	Admit func(ctx context.Context) error
}

// A Progress is a progress notification for a call in flight.
type Progress struct {
	Done, Total float64 // Total is 0 if unknown
	Message     string
}

// An Exchange is a request and its response.
type Exchange struct {
	Request Message
	Reply   *Message      // always set when there is no error
	Between []Message     // other messages that belong to it, the first thousand
	Rounds  []*Exchange   // earlier rounds, if the server requested input or made it a task
	Elapsed time.Duration // from the first request to the last response
	Status  int           // of the HTTP response; 0 elsewhere
	Header  http.Header   // of the HTTP response
	Notices []Notice      // responses that arrived for it without its ID
}

// A call is a request in flight. Its fields are guarded by the session's mutex until done is closed.
type call struct {
	id        int64
	method    string
	stream    string
	done      chan struct{}
	reply     *Message
	err       error
	between   []Message
	progress  func(Progress)
	ownID     string         // its ID on the wire, if the caller chose it
	token     string         // its progress token, if the caller chose it
	reached   *float64       // its progress so far
	timer     *timeout.Timer // set once the request is sent
	status    int            // of the HTTP response
	header    http.Header
	onMessage func(Message)
	input     func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	alone     bool // no other call is made meanwhile
	echoed    bool // it was echoed
	begun     bool // the response is a stream of events that has started
	last      wire.Event
	resumes   int

	sessionID string   // the HTTP session in which it was sent
	unmatched *Message // the last response for it without its ID
	notices   []Notice
}

// Call sends a request and returns the exchange. Any response of the server, including errors, is data; a Go
// error means that there was no response. Params is nil, raw JSON, or a value to marshal.
func (s *Session) Call(ctx context.Context, method string, params any) (*Exchange, error) {
	raw, err := rawParams(params)
	if err != nil {
		return nil, err
	}
	return s.Do(ctx, Request{Method: method, Params: raw})
}

func rawParams(params any) (json.RawMessage, error) {
	switch p := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return p, nil
	case []byte:
		return p, nil
	}
	return json.Marshal(params)
}

// Do sends the request, and the further rounds and polls that its response requires.
func (s *Session) Do(ctx context.Context, r Request) (*Exchange, error) {
	if r.Task && spec.Of(s.Version).CoreTasks {
		return s.runTask(ctx, r)
	}
	ex, err := s.roundTrip(ctx, r)
	r.Meanwhile = nil // rounds are not new requests of the caller
	ex, err = s.afterExpiry(ctx, r, ex, err)
	if err != nil || r.Manual || s.Era != spec.Modern {
		return ex, err
	}
	return s.follow(ctx, r, ex)
}

// roundTrip sends one request and waits for its response.
func (s *Session) roundTrip(ctx context.Context, r Request) (*Exchange, error) {
	start := time.Now()
	c, ex, err := s.send(ctx, r)
	if err != nil {
		return nil, err
	}
	if r.Meanwhile != nil {
		r.Meanwhile()
	}
	err = s.await(ctx, c, r)
	ex.finish(c, start)
	if err == nil && r.Method == "tools/list" {
		s.learnHeaders(c.reply.Result)
	}
	return ex, err
}

// send sends a request. The call is pending from then on, and gets its response.
func (s *Session) send(ctx context.Context, r Request) (*call, *Exchange, error) {
	if r.Admit != nil {
		if err := r.Admit(ctx); err != nil {
			return nil, nil, err
		}
	}
	c, err := s.begin(r)
	if err != nil {
		return nil, nil, err
	}
	params := s.decorate(r, c.id)
	if mayHave(r.Params, "progressToken") {
		s.expectProgress(c, params)
	}
	frame := wire.Frame{Header: s.header(r.Method, params, r.Header), Body: encodeRequest(c.id, r.Method, params)}
	sent, err := s.transmit(ctx, c, r.Timeout, frame)
	if err != nil {
		s.end(c, "could not be sent", err)
		return nil, nil, err
	}
	request := Message{Frame: sent, ID: strconv.AppendInt(nil, c.id, 10), Method: r.Method, Params: params}
	return c, &Exchange{Request: request}, nil
}

// CallRaw sends a body unchanged and waits for the response to id, which the body contains. Any JSON value is
// allowed; one from ReserveID is guaranteed to be free. With a nil id it does not wait and returns an exchange
// without a response.
func (s *Session) CallRaw(ctx context.Context, id json.RawMessage, body []byte, header http.Header) (*Exchange, error) {
	var c *call
	start := time.Now()
	m := Read(wire.Frame{Body: body})
	frame := wire.Frame{Header: s.header(m.Method, m.Params, header), Body: body}
	if id == nil {
		s.expectRawResponses(&m)
		sent, err := s.conn.Send(ctx, frame)
		return &Exchange{Request: Read(sent), Elapsed: time.Since(start)}, err
	}
	c, err := s.adopt(id, m.Method)
	if err != nil {
		return nil, err
	}
	sent, err := s.transmit(ctx, c, 0, frame)
	if err != nil {
		s.end(c, "could not be sent", err)
		return nil, err
	}
	ex := &Exchange{Request: Read(sent)}
	err = s.await(ctx, c, Request{Method: m.Method})
	ex.finish(c, start)
	if isExpired(err) {
		s.expired()
	}
	return ex, err
}

// finish copies the results of a finished call.
func (ex *Exchange) finish(c *call, start time.Time) {
	ex.Elapsed, ex.Between, ex.Reply, ex.Status, ex.Header = time.Since(start), c.between, c.reply, c.status, c.header
	ex.Notices = c.notices
}

// ReserveID returns an ID that no other request of the session will have.
func (s *Session) ReserveID() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return s.nextID
}

// Notify sends a notification.
func (s *Session) Notify(ctx context.Context, method string, params json.RawMessage) error {
	return s.post(ctx, wire.Frame{Header: s.header(method, params, nil), Body: encodeNotification(method, params)})
}

// begin registers a call before it is sent, so that no response can arrive too early.
func (s *Session) begin(r Request) (*call, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed != nil {
		return nil, s.closed
	}
	s.nextID++
	c := &call{id: s.nextID, method: r.Method, done: make(chan struct{}), progress: r.OnProgress,
		onMessage: r.OnMessage,
		input:     r.Input, alone: r.Alone}
	s.pending[c.id] = c
	return c, nil
}

// adopt registers a call with an ID chosen by the caller.
func (s *Session) adopt(id json.RawMessage, method string) (*call, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed != nil {
		return nil, s.closed
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	own := err != nil || n < 1 || n > maxAllocatedID // not one that we would issue
	if own {
		s.nextID++
		n = s.nextID
	}
	if s.pending[n] != nil || s.byOwnID[spelling(id)] != nil {
		return nil, fmt.Errorf("a request with id %s is already in flight", id)
	}
	c := &call{id: n, method: method, done: make(chan struct{})}
	if s.pending[n] = c; own {
		c.ownID = spelling(id)
		s.byOwnID[c.ownID] = c
	}
	s.nextID = max(s.nextID, n)
	return c, nil
}

// maxAllocatedID is the upper limit of the IDs that we issue. Callers may choose IDs beyond it, so that their
// revisionChoice never makes us issue IDs that JSON parsers round.
const maxAllocatedID = 1 << 40
