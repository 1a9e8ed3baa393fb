package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// A Backend handles the requests of an Endpoint, in raw JSON.
type Backend interface {
	// Answer returns the result of a request or its error. When ctx is cancelled, the response is not needed.
	Answer(ctx context.Context, c *Call) (json.RawMessage, *Error)
	// Notified is called for notifications that do not concern the connection itself.
	Notified(p *Peer, in *Inbound)
	// Disconnected is called when a peer has disconnected.
	Disconnected(p *Peer)
}

// An Endpoint is the server side of all revisions over lines and over HTTP. It parses strictly, separates
// clients, requests and eras, and leaves all responses to its Backend: messages pass through byte for byte.
type Endpoint struct {
	backend Backend
	opts    EndpointOptions
	drained chan struct{} // closed when no new request is accepted
	once    sync.Once
	active  atomic.Int64 // requests in flight

	sessions sessions
	visitors visitors       // of other replicas
	claims   [64]sync.Mutex // held while a session is claimed, by its key
	asks     atomic.Int64   // requests to clients
}

// EndpointOptions limit what clients may do. The zero value is the default.
type EndpointOptions struct {
	Caller      func(*http.Request) string // the caller of an HTTP request; sessions belong to their caller
	Stdio       string                     // the caller of a stream of lines
	MaxMessage  int64                      // maximum bytes of one message; 0 means MaxMessage
	MaxSessions int                        // 0 means 10,000
	IdleSession time.Duration              // after which a session may be deleted; 0 means 30 minutes
	KeepAlive   time.Duration              // between keep-alive comments on an open stream; 0 means 15 seconds
	MaxAnswers  int                        // requests in flight per stream of lines; 0 means 1,024

	Replicas   Replicas              // nil if this is the only process
	HeldBy     func(*Inbound) string // the replica that has what a request continues; "" if any can handle it
	Unfinished func() int            // requests that wait for the client's next one
}

func (o EndpointOptions) withDefaults() EndpointOptions {
	if o.Caller == nil {
		o.Caller = func(*http.Request) string { return "" }
	}
	if o.MaxMessage == 0 {
		o.MaxMessage = MaxMessage
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 10_000
	}
	if o.IdleSession == 0 {
		o.IdleSession = 30 * time.Minute
	}
	if o.KeepAlive == 0 {
		o.KeepAlive = 15 * time.Second
	}
	if o.MaxAnswers == 0 {
		o.MaxAnswers = 1024
	}
	return o
}

// NewEndpoint returns an endpoint for the backend.
func NewEndpoint(b Backend, opts *EndpointOptions) *Endpoint {
	e := &Endpoint{backend: b, drained: make(chan struct{})}
	if opts != nil {
		e.opts = *opts
	}
	e.opts = e.opts.withDefaults()
	e.sessions.init(e.opts.MaxSessions, e.opts.IdleSession)
	return e
}

// CodeOverloaded rejects a request that may be retried later.
const CodeOverloaded = -32000

// Drain stops accepting requests, ends subscriptions, and waits for the other requests until ctx is done.
func (e *Endpoint) Drain(ctx context.Context) {
	e.once.Do(func() { close(e.drained) })
	e.release(ctx)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for e.busy() && ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	for _, p := range e.sessions.all() {
		e.remove(p)
	}
}

// busy reports whether requests are in flight, or wait for the client's next one.
func (e *Endpoint) busy() bool {
	return e.active.Load() > 0 || e.opts.Replicas != nil && e.opts.Unfinished != nil && e.opts.Unfinished() > 0
}

// release leaves all sessions to the other replicas. Their requests in flight continue here.
func (e *Endpoint) release(ctx context.Context) {
	if e.opts.Replicas == nil {
		return
	}
	for _, p := range e.sessions.all() {
		p.setMoved(true)
	}
	_ = e.opts.Replicas.Release(ctx) // otherwise they are claimed when this replica has stopped
}

// Draining reports whether Drain was called.
func (e *Endpoint) Draining() bool {
	select {
	case <-e.drained:
		return true
	default:
		return false
	}
}

// Sessions returns the number of open legacy sessions.
func (e *Endpoint) Sessions() int { return e.sessions.len() }

// remove ends a session and everything that runs for it.
func (e *Endpoint) remove(p *Peer) {
	e.sessions.remove(p.ID)
	if p.end() {
		e.backend.Disconnected(p)
	}
}

// initialize opens a legacy peer; the backend returns the server information.
func (e *Endpoint) initialize(ctx context.Context, p *Peer, c *Call) (json.RawMessage, *Error) {
	p.Revision = Negotiate(c.Text("protocolVersion"))
	p.Info, p.Capabilities = c.Fields["clientInfo"], c.Fields["capabilities"]
	result, bad := e.backend.Answer(ctx, c)
	if bad != nil {
		p.Revision = ""
	}
	return result, bad
}

// reply encodes the outcome of a request.
func reply(id, result json.RawMessage, bad *Error) []byte {
	if bad != nil {
		return Failure(id, bad)
	}
	b := make([]byte, 0, len(id)+len(result)+40)
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	b = append(append(b, `,"result":`...), result...)
	return append(b, '}')
}

// message encodes a notification, or a request if id is not nil.
func message(id json.RawMessage, method string, params json.RawMessage) []byte {
	b := make([]byte, 0, len(id)+len(method)+len(params)+64)
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != nil {
		b = append(append(b, `,"id":`...), id...)
	}
	b = rawjson.AppendQuote(append(b, `,"method":`...), method)
	if len(params) > 0 {
		b = append(append(b, `,"params":`...), params...)
	}
	return append(b, '}')
}
