package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
)

// ErrWithdrawn is the cause of a request's context when its client has taken it back: it is not answered.
var ErrWithdrawn = errors.New("the client has cancelled the request")

// ErrGone is the cause of a request's context when its client has left.
var ErrGone = errors.New("the client has gone")

// A Peer is who talks to us: one legacy session, or whoever sends modern requests over one connection.
type Peer struct {
	ID           string // of the session; empty where there is none
	Caller       string // who it is, as EndpointOptions say
	Revision     string // agreed on by initialize; empty before, and in the modern era
	Info         json.RawMessage
	Capabilities json.RawMessage
	Done         chan struct{} // closed when it has gone

	tell func(frame []byte) // writes what belongs to no request

	mu      sync.Mutex
	calls   map[string]context.CancelCauseFunc // requests of its own under way, by id
	asked   map[string]chan *Inbound           // our requests that it has not answered
	lastAsk int64
	gone    bool
	mail    mailbox // of an HTTP session, while nobody fetches it
}

func newPeer(caller string) *Peer {
	return &Peer{Caller: caller, Done: make(chan struct{}), calls: map[string]context.CancelCauseFunc{}, asked: map[string]chan *Inbound{}}
}

// Tell sends a notification that belongs to no request. It is lost on a peer of the modern era, which has no place for it.
func (p *Peer) Tell(method string, params json.RawMessage) {
	if p.tell != nil && p.Revision != "" {
		p.tell(message(nil, method, params))
	}
}

// Ask sends a request that belongs to none of the client's. Only a session of the older era can be asked.
func (p *Peer) Ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if p.tell == nil || p.Revision == "" {
		return nil, &Error{Code: CodeInternal, Message: "a client of this revision cannot be asked"}
	}
	return p.ask(ctx, func(frame []byte) error { p.tell(frame); return nil }, method, params)
}

// begin notes a request of the peer's; its id must not be in use.
func (p *Peer) begin(ctx context.Context, id json.RawMessage) (context.Context, func(), *Error) {
	ctx, cancel := context.WithCancelCause(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	key := string(id)
	switch {
	case p.gone:
		cancel(ErrGone)
		return nil, nil, InvalidRequest("the session is over")
	case p.calls[key] != nil:
		cancel(nil)
		return nil, nil, InvalidRequest("id %s is in use", id)
	}
	p.calls[key] = cancel
	return ctx, func() {
		p.mu.Lock()
		delete(p.calls, key)
		p.mu.Unlock()
		cancel(nil)
	}, nil
}

// withdraw cancels the request that a notifications/cancelled names.
func (p *Peer) withdraw(in *Inbound) {
	p.mu.Lock()
	cancel := p.calls[string(in.Fields["requestId"])]
	p.mu.Unlock()
	if cancel != nil {
		cancel(ErrWithdrawn)
	}
}

// busy reports whether requests of the peer's are under way.
func (p *Peer) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls) > 0 || p.mail.fetched()
}

// end cancels everything; it reports whether it was the first to do so.
func (p *Peer) end() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return false
	}
	p.gone = true
	for _, cancel := range p.calls {
		cancel(ErrGone)
	}
	close(p.Done)
	return true
}

// ask sends a request of ours and waits for the answer.
func (p *Peer) ask(ctx context.Context, send func([]byte) error, method string, params json.RawMessage) (json.RawMessage, error) {
	p.mu.Lock()
	p.lastAsk++
	id := strconv.AppendInt(nil, p.lastAsk, 10)
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
				refusal = Error{Code: CodeInternal, Message: "the client failed"}
			}
			return nil, &refusal
		}
		return in.Result, nil
	case <-ctx.Done():
		_ = send(message(nil, "notifications/cancelled", Encode(map[string]json.RawMessage{"requestId": id})))
		return nil, context.Cause(ctx)
	case <-p.Done:
		return nil, ErrGone
	}
}

// answered takes the peer's answer to a request of ours; it reports whether there was one.
func (p *Peer) answered(in *Inbound) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := p.asked[string(in.ID)]
	delete(p.asked, string(in.ID))
	if answer != nil {
		answer <- in
	}
	return answer != nil
}

// Error makes a refusal a Go error.
func (e *Error) Error() string { return "error " + strconv.Itoa(e.Code) + ": " + e.Message }

// A Call is one request of a client's.
type Call struct {
	*Inbound
	Era     Era
	Peer    *Peer
	Header  http.Header     // of the HTTP request; nil elsewhere
	Drained <-chan struct{} // closed when what never ends by itself has to end

	send func(frame []byte) error // writes on the request's own stream
}

// Notify sends a notification on the request's account.
func (c *Call) Notify(method string, params json.RawMessage) {
	_ = c.send(message(nil, method, params)) // a client that has gone is told nothing
}

// Ask sends a request to the client on the request's account. Only the legacy era knows such requests.
func (c *Call) Ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if c.Era == Modern {
		return nil, &Error{Code: CodeInternal, Message: "a client of this revision cannot be asked"}
	}
	return c.Peer.ask(ctx, c.send, method, params)
}

// maxMail is how many messages wait for a client that does not listen.
const maxMail = 256

// A mailbox keeps what a session is told until its GET stream fetches it. A message that waits already is not kept
// twice, so that a burst of list changes is one.
type mailbox struct {
	mu      sync.Mutex
	waiting [][]byte
	arrived chan struct{} // of the stream that fetches; nil if there is none
}

func (b *mailbox) put(frame []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.putLocked(frame)
}

// giveBack takes back what could not be delivered. It comes before all that has come since.
func (b *mailbox) giveBack(frames [][]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	since := b.waiting
	b.waiting = nil
	for _, frame := range append(frames, since...) {
		b.putLocked(frame)
	}
}

func (b *mailbox) putLocked(frame []byte) {
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

// fetch makes the caller the one that is told of mail; whoever was before is no longer.
func (b *mailbox) fetch() chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.arrived != nil {
		close(b.arrived)
	}
	b.arrived = make(chan struct{}, 1)
	b.arrived <- struct{}{}
	return b.arrived
}

func (b *mailbox) leave(arrived chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.arrived == arrived {
		b.arrived = nil
	}
}

func (b *mailbox) fetched() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.arrived != nil
}

func (b *mailbox) take() [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.waiting
	b.waiting = nil
	return all
}
