package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// closeTimeout bounds the courtesies at the end of a call or a session.
const closeTimeout = 2 * time.Second

// A Request is a call to make.
type Request struct {
	Method     string
	Params     json.RawMessage // sent as it is, but for what the era adds to _meta; nil sends none
	OnProgress func(Progress)  // asks the server for progress, and hears of it
	Task       bool            // run it as a task where the server can
	Manual     bool            // return an input_required or task result instead of following it
	Timeout    time.Duration   // silence that fails it; 0 means the session's
	Header     http.Header     // more HTTP headers, which win over ours

	// OnMessage hears, as they come, the notifications that are about this call alone: by its progress token, or by the
	// stream that they came on. They are then neither kept in Between nor told to the session's OnNotification.
	OnMessage func(Message)
	// Input answers what the server asks on this call's account, in place of the session's handlers.
	Input func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// Alone says that the caller makes no other call meanwhile, so that whatever the server asks is asked on its account.
	Alone bool
	// Meanwhile, if it is set, is run by the caller's goroutine once the request is sent: work that need not wait for the
	// answer. It must be short.
	Meanwhile func()
}

// A Progress is what a server tells of a call under way.
type Progress struct {
	Done, Total float64 // Total is 0 if unknown
	Message     string
}

// An Exchange is a request and what came of it.
type Exchange struct {
	Request Message
	Reply   *Message      // always set when there is no error
	Between []Message     // what else came on its account, the first thousand
	Rounds  []*Exchange   // earlier rounds, when the server asked for input or made it a task
	Elapsed time.Duration // from the first request to the last answer
	Status  int           // of the HTTP answer; 0 elsewhere
	Header  http.Header   // of the HTTP answer
	Notices []Notice      // responses that arrived for it without its ID
}

// A call is a request under way. Its fields are guarded by the session's mutex until done is closed.
type call struct {
	id       int64
	method   string
	stream   string
	done     chan struct{}
	reply    *Message
	err      error
	between  []Message
	progress func(Progress)
	ownID    string         // its id on the wire, if it is the caller's own
	token    string         // of its progress, if it is the caller's own
	reached  *float64       // its progress so far
	timer    *timeout.Timer // set once the request is sent
	status   int            // of the HTTP answer
	header   http.Header
	hear     func(Message)
	input    func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	alone    bool // no other call is made meanwhile
	echoed   bool // it was sent back
	begun    bool // the answer is a stream of events that has begun
	last     wire.Event
	resumes  int

	sessionID string   // of the HTTP session in which it was sent
	unmatched *Message // the last response for it without its ID
	notices   []Notice
}

// Call sends a request and returns the exchange. What the server answers, errors included, is data; a Go error means
// that there was no answer. Params is nil, raw JSON, or a value to marshal.
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

// Do makes the call, and the rounds and polls that its answer asks for.
func (s *Session) Do(ctx context.Context, r Request) (*Exchange, error) {
	if r.Task && s.Version == NewestLegacy {
		return s.runTask(ctx, r)
	}
	ex, err := s.roundTrip(ctx, r)
	r.Meanwhile = nil // rounds are no new requests of the caller
	ex, err = s.afterExpiry(ctx, r, ex, err)
	if err != nil || r.Manual || s.Era != Modern {
		return ex, err
	}
	return s.follow(ctx, r, ex)
}

// roundTrip sends one request and waits for its answer.
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

// send sends a request. Its response is for the call, which is pending from then on.
func (s *Session) send(ctx context.Context, r Request) (*call, *Exchange, error) {
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

// CallRaw sends a body as it is and waits for the answer to id, the one that stands in it. Any JSON value will do; one
// from ReserveID is sure to be free. A nil id waits for nothing and returns an exchange without a reply.
func (s *Session) CallRaw(ctx context.Context, id json.RawMessage, body []byte, header http.Header) (*Exchange, error) {
	var c *call
	start := time.Now()
	m := Read(wire.Frame{Body: body})
	frame := wire.Frame{Header: s.header(m.Method, m.Params, header), Body: body}
	if id == nil {
		s.loosened(&m)
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

// finish takes over what a call that has ended brought.
func (ex *Exchange) finish(c *call, start time.Time) {
	ex.Elapsed, ex.Between, ex.Reply, ex.Status, ex.Header = time.Since(start), c.between, c.reply, c.status, c.header
	ex.Notices = c.notices
}

// ReserveID returns an id that no other request of the session will have.
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

// begin makes a call known before it is sent, so that no answer can be too quick for it.
func (s *Session) begin(r Request) (*call, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed != nil {
		return nil, s.closed
	}
	s.nextID++
	c := &call{id: s.nextID, method: r.Method, done: make(chan struct{}), progress: r.OnProgress, hear: r.OnMessage, input: r.Input, alone: r.Alone}
	s.pending[c.id] = c
	return c, nil
}

// adopt makes a call with an id of the caller's choice known.
func (s *Session) adopt(id json.RawMessage, method string) (*call, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed != nil {
		return nil, s.closed
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	own := err != nil || n < 1 || n > maxGivenID // not one that we would give out
	if own {
		s.nextID++
		n = s.nextID
	}
	if s.pending[n] != nil || s.byOwnID[spelling(id)] != nil {
		return nil, fmt.Errorf("a request with id %s is under way", id)
	}
	c := &call{id: n, method: method, done: make(chan struct{})}
	if s.pending[n] = c; own {
		c.ownID = spelling(id)
		s.byOwnID[c.ownID] = c
	}
	s.nextID = max(s.nextID, n)
	return c, nil
}

// maxGivenID is where the ids that we give out end. Those that a caller may choose go on beyond it, so that no choice of
// his leads us to ids that JSON readers round.
const maxGivenID = 1 << 40
