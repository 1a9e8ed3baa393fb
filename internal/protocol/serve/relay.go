package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
)

// The outcome of forwarding a request to another replica.
type relayOutcome int

const (
	handled relayOutcome = iota // the client has its response
	refused                     // the replica has not handled the request and will not
	again                       // the replica was lost; the request may be sent again
)

// maxRelayed is the maximum size of a relayed response or event; results of servers are smaller.
const maxRelayed = 64 << 20

// relay forwards a request to another replica, and returns its response to the client.
func (e *Endpoint) relay(q *routed, to string) relayOutcome {
	if q.r.Method == http.MethodGet {
		defer e.untilDrained(q)()
	} else {
		e.active.Add(1)
		defer e.active.Add(-1)
	}
	resp, err := e.opts.Replicas.Forward(to, q.r, q.body)
	switch {
	case errors.Is(err, ErrNotDelivered):
		return refused
	case err != nil:
		return e.lost(q)
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode == http.StatusMisdirectedRequest:
		return refused
	case resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") == "text/event-stream":
		e.relayEvents(q, resp.Body)
		return handled
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxRelayed))
	if err != nil {
		return e.lost(q)
	}
	for _, name := range []string{"Content-Type", "Retry-After", "Allow", "Www-Authenticate"} {
		if value := resp.Header.Get(name); value != "" {
			q.w.Header().Set(name, value)
		}
	}
	q.w.WriteHeader(resp.StatusCode)
	_, _ = q.w.Write(body)
	return handled
}

// untilDrained ends the stream of a session when this replica shuts down: the client opens another one elsewhere.
func (e *Endpoint) untilDrained(q *routed) (done func()) {
	original := q.r
	ctx, cancel := context.WithCancel(original.Context())
	q.r = original.WithContext(ctx)
	go func() {
		select {
		case <-e.drained:
			cancel()
		case <-ctx.Done():
		}
	}()
	return func() { cancel(); q.r = original }
}

// errReplicaLost is the outcome of a call whose replica has stopped. The call is not sent again.
var errReplicaLost = &Error{Code: CodeInternal,
	Message: "the gateway replica that handled the request has stopped; whether it was executed is unknown"}

// lost ends a request whose replica may have handled it. Only a message without an effect on a server is sent again.
func (e *Endpoint) lost(q *routed) relayOutcome {
	switch {
	case q.r.Context().Err() != nil:
		return handled // the client has gone
	case q.in == nil || q.in.Kind != Request || repeatable(q.in.Method):
		return again
	}
	WriteReply(q.w, http.StatusOK, Failure(q.in.ID, errReplicaLost))
	return handled
}

// repeatable reports whether a request can be handled twice without a difference.
func repeatable(method string) bool {
	switch method {
	case "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "tasks/get", "tasks/list":
		return true
	}
	return IsList(method)
}

// relayEvents copies the messages of a stream. A call whose replica is lost gets an error; the GET stream of a session
// just ends, and the client opens another one.
func (e *Endpoint) relayEvents(q *routed, from io.Reader) {
	events := &eventWriter{w: q.w, keepAlive: e.opts.KeepAlive}
	defer events.stop()
	events.open()
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxRelayed)
	for lines.Scan() {
		frame, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if ok && events.send(frame) != nil {
			return
		}
	}
	if lines.Err() != nil && q.r.Context().Err() == nil && q.in != nil && q.in.Kind == Request {
		events.finish(Failure(q.in.ID, errReplicaLost))
	}
}
