package serve

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A lineConn connects a stream of lines to the SDK's server. It rejects malformed messages itself, uses a separate
// session for each era, and one for each subscription stream, since the SDK supports a single subscription per
// session.
type lineConn struct {
	ctx    context.Context // of the connection; the sessions have the same lifetime
	server *mcp.Server
	out    *LineWriter
	ended  sync.WaitGroup // one for each session

	mu       sync.Mutex
	revision string // the negotiated revision; empty before initialize
	opening  jsonrpc.ID
	ready    bool // the client has sent notifications/initialized
	legacy   *sdkTransport
	modern   *sdkTransport
	pending  map[jsonrpc.ID]*exchange
	idle     chan struct{} // when not nil: closed as soon as no call is pending
}

// An exchange is a request that has no response yet.
type exchange struct {
	link      *sdkTransport
	method    string
	batch     *batch
	cancelled bool
}

// Stream serves one connection until in ends or ctx is done.
func Stream(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f := &lineConn{ctx: ctx, server: server, out: &LineWriter{Out: out}, pending: map[jsonrpc.ID]*exchange{}}
	err := EachLine(ctx, in, f.line)
	if err == nil {
		f.drain()
	}
	f.close()
	return err
}

// line handles one line of input. It fails only if the output has failed.
func (f *lineConn) line(text []byte) error {
	switch {
	case text == nil:
		return f.out.Write(Failure(nil, TooLong()))
	case IsBatch(text):
		return f.batch(text)
	}
	return f.one(text, nil)
}

// one handles one message; b is its batch, or nil.
func (f *lineConn) one(text []byte, b *batch) error {
	m, bad := Parse(text)
	switch {
	case bad != nil && m.Kind == Notification && m.Method != "":
		return nil // a notification gets no response
	case bad != nil:
		return f.refuse(m.ID, bad, b)
	case m.Kind == Notification:
		f.notified(m)
		return nil
	case m.Kind == Response:
		f.replied(text)
		return nil
	}
	return f.request(m, text, b)
}

func (f *lineConn) request(m Message, text []byte, b *batch) error {
	f.mu.Lock()
	opened := f.revision != ""
	f.mu.Unlock()
	e, bad := EraOf(m, opened)
	if bad == nil {
		bad = unique(text)
	}
	if bad == nil && e == spec.Legacy && m.Method == "initialize" && (opened || b != nil) {
		bad = InvalidRequest("initialize must be sent only once, and not in a batch")
	}
	if bad == nil {
		bad = validateRequest(m, e)
	}
	if bad != nil {
		return f.refuse(m.ID, bad, b)
	}
	id, _ := requestID(m.ID) // the gate has checked it
	req := &jsonrpc.Request{ID: id, Method: m.Method, Params: m.Params}
	l, bad := f.accept(req, m, e, b)
	if bad != nil {
		return f.refuse(nil, bad, b) // the id belongs to another request
	}
	l.send(req)
	return nil
}

// accept registers the request and returns the session to serve it.
func (f *lineConn) accept(req *jsonrpc.Request, m Message, e spec.Era, b *batch) (*sdkTransport, *Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pending[req.ID] != nil {
		return nil, InvalidRequest("id %s is already in use", m.ID)
	}
	x := &exchange{method: req.Method, batch: b}
	switch {
	case req.Method == "subscriptions/listen":
		x.link = f.connect(spec.Modern)
	case e == spec.Modern:
		if f.modern == nil {
			f.modern = f.connect(spec.Modern)
		}
		x.link = f.modern
	default:
		if f.legacy == nil {
			f.legacy = f.connect(spec.Legacy)
		}
		x.link = f.legacy
	}
	if req.Method == "initialize" {
		var asked string
		json.Unmarshal(Members(m.Params)["protocolVersion"], &asked)
		f.revision, f.opening = Negotiate(asked), req.ID
		req.Params = withRevision(req.Params, f.revision)
	}
	f.pending[req.ID] = x
	return x.link, nil
}

// withRevision sets the requested revision of an initialize. The SDK uses the requested revision, not the
// negotiated one, and would use the modern era for a client that requests an unknown future revision.
func withRevision(params json.RawMessage, revision string) json.RawMessage {
	p := Members(params)
	p["protocolVersion"] = Encode(revision)
	return Encode(p)
}

// connect opens a session of the SDK's server. f.mu is held.
func (f *lineConn) connect(e spec.Era) *sdkTransport {
	l := newLink(e, f.sent)
	session, err := f.server.Connect(f.ctx, l, nil)
	if err != nil {
		panic(err) // a link's Connect does not fail
	}
	f.ended.Go(func() { session.Wait() })
	return l
}

// notified passes on the notifications that the SDK supports.
func (f *lineConn) notified(m Message) {
	f.mu.Lock()
	l := f.legacy
	switch m.Method {
	case "notifications/cancelled":
		l = nil
		if id, ok := requestID(Members(m.Params)["requestId"]); ok && f.pending[id] != nil && id != f.opening {
			f.pending[id].cancelled = true
			l = f.pending[id].link
		}
	case "notifications/initialized":
		if f.revision == "" || f.ready {
			l = nil
		}
		f.ready = f.ready || l != nil
	case "notifications/progress", "notifications/roots/list_changed":
	default:
		l = nil
	}
	f.mu.Unlock()
	if l != nil {
		l.send(&jsonrpc.Request{Method: m.Method, Params: m.Params})
	}
}

// requestID reads an ID from params.
func requestID(raw json.RawMessage) (jsonrpc.ID, bool) {
	if raw == nil || !validID(raw) || !safeID(raw) {
		return jsonrpc.ID{}, false
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.MakeID(v)
	return id, err == nil
}

// replied passes a response of the client on. Only the legacy era has requests that it could belong to.
func (f *lineConn) replied(text []byte) {
	f.mu.Lock()
	l := f.legacy
	f.mu.Unlock()
	if m, err := jsonrpc.DecodeMessage(text); err == nil && l != nil {
		l.send(m)
	}
}

// refuse rejects a message without passing it to the server.
func (f *lineConn) refuse(id json.RawMessage, e *Error, b *batch) error {
	if b != nil {
		return b.add(f, Failure(id, e))
	}
	return f.out.Write(Failure(id, e))
}
