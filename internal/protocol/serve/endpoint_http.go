package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// ServeHTTP serves the endpoint over Streamable HTTP. The caller must check Host, Origin and authentication.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	version := r.Header.Get("MCP-Protocol-Version")
	switch {
	case r.Method == http.MethodPost:
		if outlivesConnection(r, version) {
			defer netguard.IgnoreDisconnect(r)()
		}
		if body, ok := e.readBody(w, r); ok {
			e.post(w, r, version, body)
		}
	case CheckVersion(version, Message{}) != nil:
		WriteReply(w, http.StatusBadRequest, Failure(nil, CheckVersion(version, Message{})))
	case isModern(version) || r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "POST")
		http.Error(w, "use POST", http.StatusMethodNotAllowed)
	default:
		if e.misdirected(w, r) {
			return
		}
		e.sessionOf(&routed{w: w, r: r, with: func(p *Peer) {
			if r.Method == http.MethodDelete {
				e.end(r.Context(), p)
				w.WriteHeader(http.StatusNoContent)
				return
			}
			e.stream(w, r, p)
		}})
	}
}

// outlivesConnection reports whether a lost connection does not cancel the request: see postLegacy.
func outlivesConnection(r *http.Request, version string) bool {
	known, ok := spec.Find(version)
	return ok && known.Era == spec.Legacy && r.Header.Get("Mcp-Session-Id") != ""
}

// readBody returns the body of a POST from a client that accepts both response types.
func (e *Endpoint) readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if !accepts(r.Header, "application/json") || !accepts(r.Header, "text/event-stream") {
		http.Error(w, "Accept must list application/json and text/event-stream", http.StatusNotAcceptable)
		return nil, false
	}
	var body bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength <= e.opts.MaxMessage {
		body.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, e.opts.MaxMessage))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		WriteReply(w, http.StatusRequestEntityTooLarge,
			Failure(nil, InvalidRequest("messages are limited to %d bytes", large.Limit)))
		return nil, false
	case err != nil:
		http.Error(w, "cannot read the body", http.StatusBadRequest)
		return nil, false
	}
	return body.Bytes(), true
}

func (e *Endpoint) post(w http.ResponseWriter, r *http.Request, version string, body []byte) {
	in, bad := ReadInbound(body)
	named, _ := versionIn(in.Meta)
	switch {
	case bad == nil:
		bad = checkVersion(version, named)
	case in.Method != "": // an invalid body may have hidden its revision
		if odd := CheckVersion(version, in.Message); odd != nil {
			bad = odd
		}
	}
	if bad != nil {
		WriteReply(w, http.StatusBadRequest, Failure(in.ID, bad))
		return
	}
	if e.misdirected(w, r) {
		return
	}
	held := e.heldBy(in)
	if e.Draining() && in.Kind == Request && (held == "" || held != e.self()) {
		if r.Header.Get(ForwardedTo) != "" {
			misdirected(w)
			return
		}
		w.Header().Set("Retry-After", "1")
		WriteReply(w, http.StatusServiceUnavailable,
			Failure(in.ID, &Error{Code: CodeOverloaded, Message: "server is shutting down"}))
		return
	}
	if isModern(version) || in.Kind == Request && spec.EraOf(named) == spec.Modern {
		e.postModern(w, r, in, body)
		return
	}
	e.postLegacy(w, r, in, body)
}

func (e *Endpoint) postModern(w http.ResponseWriter, r *http.Request, in *Inbound, body []byte) {
	switch in.Kind {
	case Notification:
		w.WriteHeader(http.StatusAccepted) // notifications have no effect without a session
		return
	case Response:
		WriteReply(w, http.StatusBadRequest, Failure(nil, InvalidRequest("response does not match a request")))
		return
	}
	if bad := checkModern(r.Header, in); bad != nil {
		WriteReply(w, StatusOf(bad, spec.Modern), Failure(in.ID, bad))
		return
	}
	if e.elsewhere(&routed{w: w, r: r, in: in, body: body}) {
		return
	}
	p := &Peer{Caller: e.opts.Caller(r), Done: make(chan struct{})}
	e.respond(r.Context(), w, &Call{Inbound: in, Era: spec.Modern, Peer: p, Header: r.Header}, nil)
}

// checkModern validates the headers and the shape of a request from 2026-07-28 on.
func checkModern(h http.Header, in *Inbound) *Error {
	version, _ := versionIn(in.Meta)
	switch era, bad := eraBy(in.Method, in.Meta, false); {
	case bad != nil:
		return bad
	case era == spec.Legacy:
		return InvalidParams("_meta field %q is required", MetaVersion)
	}
	if bad := checkHeaders(h, version, in.Method, in.Text(spec.NamedBy(in.Method))); bad != nil {
		return bad
	}
	if legacyOnly(in.Method) {
		return MethodNotFound(in.Method)
	}
	return in.checkShape()
}

func (e *Endpoint) postLegacy(w http.ResponseWriter, r *http.Request, in *Inbound, body []byte) {
	if in.Kind == Request && in.Method == "initialize" {
		e.opening(w, r, in)
		return
	}
	q := &routed{w: w, r: r, in: in, body: body}
	q.with = func(p *Peer) {
		switch in.Kind {
		case Response:
			p.onResponse(in)
			w.WriteHeader(http.StatusAccepted)
			return
		case Notification:
			e.notified(p, in)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if bad := in.checkShape(); bad != nil {
			WriteReply(w, http.StatusOK, Failure(in.ID, bad))
			return
		}
		// In these revisions, a lost connection does not cancel the request.
		ctx, done, bad := p.begin(context.WithoutCancel(r.Context()), in.ID)
		if bad != nil {
			WriteReply(w, http.StatusBadRequest, Failure(nil, bad))
			return
		}
		defer done()
		c := &Call{Inbound: in, Era: spec.Legacy, Peer: p, Header: r.Header}
		var how func(context.Context) (json.RawMessage, *Error)
		if e.opts.Replicas != nil && remembered(in.Method) {
			how = func(ctx context.Context) (json.RawMessage, *Error) { return e.remember(ctx, c) }
		}
		e.respond(ctx, w, c, how)
	}
	switch {
	case in.Kind == Response && e.opts.Replicas != nil:
		e.answered(q)
	case !e.elsewhere(q):
		e.sessionOf(q)
	}
}

// opening handles initialize and assigns an ID to the new session.
func (e *Endpoint) opening(w http.ResponseWriter, r *http.Request, in *Inbound) {
	bad := in.checkShape()
	if bad == nil && r.Header.Get("Mcp-Session-Id") != "" {
		bad = InvalidRequest("the session is already initialized")
	}
	if bad != nil {
		WriteReply(w, http.StatusBadRequest, Failure(in.ID, bad))
		return
	}
	p := e.newPeer(e.opts.Caller(r))
	c := &Call{Inbound: in, Era: spec.Legacy, Peer: p, Header: r.Header}
	e.respond(r.Context(), w, c, func(ctx context.Context) (json.RawMessage, *Error) {
		result, bad := e.initialize(ctx, p, c)
		if bad != nil {
			return nil, bad
		}
		evicted, ok := e.sessions.add(p)
		for _, old := range evicted {
			e.end(ctx, old)
		}
		if !ok {
			e.remove(p)
			return nil, &Error{Code: CodeOverloaded, Message: "too many sessions are open"}
		}
		if bad := e.open(ctx, p); bad != nil {
			e.remove(p)
			return nil, bad
		}
		w.Header().Set("Mcp-Session-Id", p.ID)
		return result, nil
	})
}

// respond handles a request: the response is plain JSON, or a stream of events if another message precedes it.
func (e *Endpoint) respond(ctx context.Context, w http.ResponseWriter, c *Call,
	how func(context.Context) (json.RawMessage, *Error)) {
	e.active.Add(1)
	defer e.active.Add(-1)
	events := &eventWriter{w: w, keepAlive: e.opts.KeepAlive}
	defer events.stop()
	c.send, c.Drained = events.send, e.drained
	if how == nil {
		how = func(ctx context.Context) (json.RawMessage, *Error) { return e.backend.Answer(ctx, c) }
	}
	result, bad := how(ctx)
	if ctx.Err() != nil {
		events.open() // a cancelled request gets no response: the stream ends without one
		return
	}
	defer c.responded()
	frame := reply(c.ID, result, bad)
	if events.finish(frame) {
		return
	}
	status := StatusOf(bad, c.Era)
	if bad != nil && bad.Code == CodeOverloaded && c.Era == spec.Modern {
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", "1")
	}
	writeWhole(w, status, frame)
}

// contentJSON is the value of a header that all responses share.
var contentJSON = []string{"application/json"}

func writeWhole(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = contentJSON
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// stream is the GET stream of a session: messages that belong to no request.
func (e *Endpoint) stream(w http.ResponseWriter, r *http.Request, p *Peer) {
	if !accepts(r.Header, "text/event-stream") {
		http.Error(w, "Accept must list text/event-stream", http.StatusNotAcceptable)
		return
	}
	events := &eventWriter{w: w, keepAlive: e.opts.KeepAlive}
	defer events.stop()
	events.open()
	moved := p.movedAway()
	arrived := p.mail.fetch()
	defer p.mail.release(arrived)
	for {
		select {
		case _, ok := <-arrived:
			if !ok {
				return // another stream has replaced this one
			}
			frames := p.mail.take()
			for i, frame := range frames {
				if events.send(frame) != nil {
					p.mail.giveBack(frames[i:]) // for the next stream of the client
					return
				}
			}
		case <-r.Context().Done():
			return
		case <-p.Done:
			return
		case <-moved:
			return // the client opens another one, at the replica that has the session now
		case <-e.drained:
			return
		}
	}
}
