package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// ErrCancelled is the cause of a request's context when its client has cancelled it: it gets no response.
var ErrCancelled = errors.New("the client cancelled the request")

// ErrDisconnected is the cause of a request's context when its client has disconnected.
var ErrDisconnected = errors.New("client disconnected")

// A Peer is a client: one legacy session, or the sender of modern requests over one connection.
type Peer struct {
	ID           string // of the session; empty if there is none
	Caller       string // the caller, from EndpointOptions
	Revision     string // negotiated by initialize; empty before, and in the modern era
	Info         json.RawMessage
	Capabilities json.RawMessage
	Done         chan struct{} // closed when it has disconnected

	tell func(frame []byte) // writes messages that belong to no request

	mu           sync.Mutex
	calls        map[string]context.CancelCauseFunc // its requests in flight, by ID
	asked        map[string]chan *Inbound           // our requests without a response
	lastAsk      int64
	disconnected bool
	mail         outbox // of an HTTP session, while it has no GET stream

	endpoint *Endpoint     // with replicas: for the IDs of our requests
	shared   SharedSession // what the other replicas know
	moved    chan struct{} // closed if another replica has the session now
}

func newPeer(caller string) *Peer {
	return &Peer{Caller: caller, Done: make(chan struct{}), calls: map[string]context.CancelCauseFunc{},
		asked: map[string]chan *Inbound{}}
}

// Lasts reports whether the peer makes several requests: a session, or a client on stdin and stdout. A modern HTTP
// request has a peer of its own.
func (p *Peer) Lasts() bool { return p.calls != nil }

// Notify sends a notification that belongs to no request. It is dropped for a modern peer, which has no stream
// for it.
func (p *Peer) Notify(method string, params json.RawMessage) {
	if p.tell != nil && p.Revision != "" {
		p.tell(message(nil, method, params))
	}
}

// Ask sends a request that belongs to no client request. This is only possible in a legacy session.
func (p *Peer) Ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if p.tell == nil || p.Revision == "" {
		return nil, &Error{Code: CodeInternal, Message: "requests to a client are not allowed in this protocol version"}
	}
	return p.request(ctx, func(frame []byte) error { p.tell(frame); return nil }, method, params)
}

// begin registers a request of the peer; its ID must not be in use.
func (p *Peer) begin(ctx context.Context, id json.RawMessage) (context.Context, func(), *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	key := string(id)
	switch {
	case p.disconnected:
		cancel(ErrDisconnected)
		return nil, nil, InvalidRequest("the session is closed")
	case p.calls[key] != nil:
		cancel(nil)
		return nil, nil, InvalidRequest("id %s is already in use", id)
	}
	p.calls[key] = cancel
	return ctx, func() {
		p.mu.Lock()
		delete(p.calls, key)
		p.mu.Unlock()
		cancel(nil)
	}, nil
}

// withdraw cancels the request of a notifications/cancelled.
func (p *Peer) withdraw(in *Inbound) {
	p.mu.Lock()
	cancel := p.calls[string(in.Fields["requestId"])]
	p.mu.Unlock()
	if cancel != nil {
		cancel(ErrCancelled)
	}
}

// busy reports whether requests of the peer are in flight.
func (p *Peer) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls) > 0 || p.mail.fetched()
}

// end cancels everything; it reports whether it was the first call.
func (p *Peer) end() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.disconnected {
		return false
	}
	p.disconnected = true
	for _, cancel := range p.calls {
		cancel(ErrDisconnected)
	}
	close(p.Done)
	return true
}

// request sends our request and waits for the response.
func (p *Peer) request(ctx context.Context, send func([]byte) error, method string,
	params json.RawMessage) (json.RawMessage, error) {
	p.mu.Lock()
	id := p.nextAskLocked()
	answer := make(chan *Inbound, 1)
	p.asked[string(id)] = answer
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.asked, string(id))
		p.mu.Unlock()
	}()
	if err := send(message(id, method, params)); err != nil {
		return nil, err
	}
	select {
	case in := <-answer:
		if in.Failed != nil {
			var refusal Error
			if json.Unmarshal(in.Failed, &refusal) != nil {
				refusal = Error{Code: CodeInternal, Message: "the client returned an invalid error"}
			}
			return nil, &refusal
		}
		return in.Result, nil
	case <-ctx.Done():
		_ = send(message(nil, "notifications/cancelled", Encode(map[string]json.RawMessage{"requestId": id})))
		return nil, context.Cause(ctx)
	case <-p.Done:
		return nil, ErrDisconnected
	}
}

// onResponse delivers the peer's response to our request; it reports whether there was one.
func (p *Peer) onResponse(in *Inbound) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := p.asked[string(in.ID)]
	delete(p.asked, string(in.ID))
	if answer != nil {
		answer <- in
	}
	return answer != nil
}

// Error implements the error interface.
func (e *Error) Error() string { return "error " + strconv.Itoa(e.Code) + ": " + e.Message }

// A Call is one request of a client.
type Call struct {
	*Inbound
	Era     spec.Era
	Peer    *Peer
	Header  http.Header     // of the HTTP request; nil elsewhere
	Drained <-chan struct{} // closed when subscriptions must end

	send  func(frame []byte) error // writes on the request's own stream
	after []func()                 // run when the response is written
}

// After runs f when the response of the request is written. It must be called before the request is answered.
func (c *Call) After(f func()) { c.after = append(c.after, f) }

// responded runs what waits for the response.
func (c *Call) responded() {
	for _, f := range c.after {
		f()
	}
}

// Notify sends a notification on the stream of the request.
func (c *Call) Notify(method string, params json.RawMessage) {
	_ = c.send(message(nil, method, params)) // a disconnected client is not notified
}

// Ask sends a request to the client on the stream of the request. Only the legacy era has such requests.
func (c *Call) Ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if c.Era == spec.Modern {
		return nil, &Error{Code: CodeInternal, Message: "requests to a client are not allowed in this protocol version"}
	}
	return c.Peer.request(ctx, c.send, method, params)
}

// maxMail is the maximum number of messages that wait for a client without a stream.
const maxMail = 256

// A outbox stores the messages for a session until its GET stream sends them. A duplicate message is not
// stored again, so that a burst of list changes becomes one.
type outbox struct {
	mu      sync.Mutex
	waiting [][]byte
	arrived chan struct{} // of the active stream; nil if there is none
}

func (b *outbox) put(frame []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.putLocked(frame)
}

// giveBack stores a message again that could not be delivered. It precedes all later ones.
func (b *outbox) giveBack(frames [][]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	since := b.waiting
	b.waiting = nil
	for _, frame := range append(frames, since...) {
		b.putLocked(frame)
	}
}

func (b *outbox) putLocked(frame []byte) {
	for _, other := range b.waiting {
		if bytes.Equal(other, frame) {
			return
		}
	}
	if len(b.waiting) < maxMail {
		b.waiting = append(b.waiting, frame)
	}
	if b.arrived != nil {
		select {
		case b.arrived <- struct{}{}:
		default:
		}
	}
}

// fetch makes the caller the active stream, which replaces the previous one.
func (b *outbox) fetch() chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.arrived != nil {
		close(b.arrived)
	}
	b.arrived = make(chan struct{}, 1)
	b.arrived <- struct{}{}
	return b.arrived
}

func (b *outbox) release(arrived chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.arrived == arrived {
		b.arrived = nil
	}
}

func (b *outbox) fetched() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.arrived != nil
}

func (b *outbox) take() [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.waiting
	b.waiting = nil
	return all
}
