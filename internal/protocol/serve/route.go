package serve

import (
	"encoding/json"
	"errors"
	"net/http"
)

// routeAttempts limits how often a request is routed again because the owner of its session has changed meanwhile.
const routeAttempts = 5

// A routed is one HTTP request of a session.
type routed struct {
	w    http.ResponseWriter
	r    *http.Request
	in   *Inbound // nil for GET and DELETE
	body []byte
	with func(*Peer) // handles it in this replica
}

func (q *routed) id() json.RawMessage {
	if q.in == nil {
		return nil
	}
	return q.in.ID
}

// sessionOf finds the session of a request, here or in another replica, or rejects the request.
func (e *Endpoint) sessionOf(q *routed) {
	name := q.r.Header.Get("Mcp-Session-Id")
	if name == "" {
		WriteReply(q.w, http.StatusBadRequest, Failure(q.id(),
			InvalidRequest("Mcp-Session-Id is required; send initialize first")))
		return
	}
	p := e.sessions.find(name, e.opts.Caller(q.r))
	switch {
	case p != nil && !p.hasMoved():
		q.with(p)
	case e.opts.Replicas == nil:
		q.notFound()
	default:
		if p != nil && q.in != nil && q.in.Kind == Notification {
			e.notified(p, q.in) // its requests in flight are still here
		}
		e.route(q, name)
	}
}

// route handles a request of a session that is not in this replica.
func (e *Endpoint) route(q *routed, name string) {
	if held := e.heldBy(q.in); held != "" && held == e.self() {
		e.visit(q, name)
		return
	}
	if q.r.Header.Get(ForwardedTo) != "" {
		misdirected(q.w)
		return
	}
	gone := ""
	for attempt := range routeAttempts {
		s, owner, err := e.opts.Replicas.Find(q.r.Context(), sessionKey(name), attempt > 0)
		switch {
		case errors.Is(err, ErrNoSession) || err == nil && s.Caller != e.opts.Caller(q.r):
			q.notFound()
			return
		case err != nil:
			q.unavailable("the session store is unavailable")
			return
		}
		if owner != "" && owner != gone && owner != e.self() {
			switch e.relay(q, owner) {
			case handled:
				return
			case refused:
				gone = owner
			}
			continue
		}
		if e.Draining() {
			break
		}
		p, err := e.claim(q.r.Context(), name, s.Caller, owner)
		if err != nil {
			q.unavailable("the session store is unavailable")
			return
		}
		if p != nil {
			q.with(p)
			return
		}
	}
	q.unavailable("the session is moving to another replica; retry")
}

// visit handles a request of a session that belongs to another replica, about something that only this one has.
func (e *Endpoint) visit(q *routed, name string) {
	s, _, err := e.opts.Replicas.Find(q.r.Context(), sessionKey(name), false)
	if err != nil || s.Caller != e.opts.Caller(q.r) {
		q.notFound()
		return
	}
	p, leave := e.visitors.enter(name, func() *Peer { return e.peerOf(name, s) })
	defer leave()
	q.with(p)
}

func (q *routed) notFound() {
	WriteReply(q.w, http.StatusNotFound, Failure(q.id(), InvalidRequest("session not found")))
}

// unavailable rejects a request that was not handled.
func (q *routed) unavailable(why string) {
	q.w.Header().Set("Retry-After", "1")
	WriteReply(q.w, http.StatusServiceUnavailable, Failure(q.id(), &Error{Code: CodeOverloaded, Message: why}))
}

// misdirected rejects a forwarded request that this replica does not handle.
func misdirected(w http.ResponseWriter) {
	http.Error(w, "this replica does not have the session", http.StatusMisdirectedRequest)
}

// answered passes the response of a client to the request that is waiting for it, in whichever replica that is.
func (e *Endpoint) answered(q *routed) {
	name, caller := q.r.Header.Get("Mcp-Session-Id"), e.opts.Caller(q.r)
	switch from := asker(q.in.ID); {
	case name == "":
		e.sessionOf(q)
		return
	case from == e.self():
		if p := e.sessions.find(name, caller); p != nil && p.onResponse(q.in) {
			break
		}
		if p := e.visitors.find(name, caller); p != nil {
			p.onResponse(q.in)
		}
	case from != "" && q.r.Header.Get(ForwardedTo) == "":
		if e.relay(q, from) == handled {
			return
		}
	}
	q.w.WriteHeader(http.StatusAccepted) // if nothing waits for it, nothing is missed
}

// misdirected rejects a request that was forwarded to another replica, such as one that had this address before.
func (e *Endpoint) misdirected(w http.ResponseWriter, r *http.Request) bool {
	to := r.Header.Get(ForwardedTo)
	if to == "" || to == e.self() {
		return false
	}
	misdirected(w)
	return true
}

// elsewhere handles a request that continues something in another replica. If that replica has stopped, this one
// responds that it does not exist.
func (e *Endpoint) elsewhere(q *routed) bool {
	held := e.heldBy(q.in)
	if held == "" || held == e.self() || q.r.Header.Get(ForwardedTo) != "" {
		return false
	}
	outcome := e.relay(q, held)
	if outcome == again {
		outcome = e.relay(q, held)
	}
	return outcome == handled
}
