package serve

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// claim makes this replica the owner of a session; nil if another one was faster.
func (e *Endpoint) claim(ctx context.Context, name, caller, from string) (*Peer, error) {
	key := sessionKey(name)
	lock := e.claimLock(key)
	lock.Lock()
	defer lock.Unlock()
	p := e.sessions.find(name, caller)
	if p != nil && !p.hasMoved() {
		return p, nil // another request of the session has claimed it
	}
	s, err := e.opts.Replicas.Claim(ctx, key, from)
	if err != nil || s == nil {
		return nil, err
	}
	if p != nil {
		p.setMoved(false) // it has come back
		return p, nil
	}
	p = e.peerOf(name, s)
	evicted, ok := e.sessions.add(p)
	for _, old := range evicted {
		e.end(ctx, old)
	}
	if !ok {
		return nil, &Error{Code: CodeOverloaded, Message: "too many sessions are open"}
	}
	e.resume(ctx, p, s)
	return p, nil
}

// peerOf is the client of a session that another replica has opened.
func (e *Endpoint) peerOf(name string, s *SharedSession) *Peer {
	p := e.newPeer(s.Caller)
	p.ID, p.Revision, p.Info, p.Capabilities, p.shared = name, s.Revision, s.Info, s.Capabilities, *s
	return p
}

// resume repeats for the backend what the client has set in the session. The client may have missed changes of the
// lists, so it is notified that they have changed.
func (e *Endpoint) resume(ctx context.Context, p *Peer, s *SharedSession) {
	e.repeat(ctx, p, "initialize", map[string]any{"protocolVersion": s.Revision, "capabilities": s.Capabilities,
		"clientInfo": s.Info})
	if s.Level != "" {
		e.repeat(ctx, p, "logging/setLevel", map[string]any{"level": s.Level})
	}
	for _, list := range []string{"tools", "prompts", "resources"} {
		p.Notify("notifications/"+list+"/list_changed", nil)
	}
	if len(s.Subscriptions) == 0 {
		return
	}
	go func() { // a server may take long
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		for _, uri := range s.Subscriptions {
			e.repeat(ctx, p, "resources/subscribe", map[string]any{"uri": uri})
			if !p.subscribes(uri) { // the client has unsubscribed meanwhile
				e.repeat(ctx, p, "resources/unsubscribe", map[string]any{"uri": uri})
			}
			p.Notify("notifications/resources/updated", Encode(map[string]string{"uri": uri}))
		}
	}()
}

// repeat sends the backend a request of a session that another replica has already answered.
func (e *Endpoint) repeat(ctx context.Context, p *Peer, method string, params any) {
	in, bad := ReadInbound(message(json.RawMessage(`"resume"`), method, Encode(params)))
	if bad != nil {
		return
	}
	_, _ = e.backend.Answer(ctx, &Call{Inbound: in, Peer: p, Era: spec.Legacy, Drained: e.drained,
		send: func([]byte) error { return nil }})
}

// remembered reports whether a request changes what a replica must know about a session.
func remembered(method string) bool {
	switch method {
	case "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		return true
	}
	return false
}

// remember handles a request and stores what it has changed in the session.
func (e *Endpoint) remember(ctx context.Context, c *Call) (json.RawMessage, *Error) {
	p, uri := c.Peer, c.Text("uri")
	if c.Method == "resources/subscribe" && !p.subscribes(uri) && p.subscriptions() >= maxSubscriptions {
		return nil, InvalidParams("a session can have at most %d subscriptions", maxSubscriptions)
	}
	result, bad := e.backend.Answer(ctx, c)
	if bad != nil {
		return nil, bad
	}
	p.mu.Lock()
	switch c.Method {
	case "logging/setLevel":
		p.shared.Level = c.Text("level")
	case "resources/subscribe":
		if !slices.Contains(p.shared.Subscriptions, uri) {
			p.shared.Subscriptions = append(slices.Clip(p.shared.Subscriptions), uri)
		}
	case "resources/unsubscribe":
		p.shared.Subscriptions = slices.DeleteFunc(slices.Clone(p.shared.Subscriptions),
			func(u string) bool { return u == uri })
	}
	state := p.shared
	p.mu.Unlock()
	if err := e.opts.Replicas.Save(ctx, sessionKey(p.ID), &state); err != nil {
		return nil, &Error{Code: CodeInternal, Message: "cannot store the state of the session; retry"}
	}
	return result, nil
}

// open stores a new session for all replicas.
func (e *Endpoint) open(ctx context.Context, p *Peer) *Error {
	if e.opts.Replicas == nil {
		return nil
	}
	p.shared = SharedSession{Caller: p.Caller, Revision: p.Revision, Info: p.Info, Capabilities: p.Capabilities}
	if len(p.Info)+len(p.Capabilities) > maxSharedState {
		return InvalidParams("clientInfo and capabilities are limited to %d bytes", maxSharedState)
	}
	if err := e.opts.Replicas.Open(ctx, sessionKey(p.ID), &p.shared); err != nil {
		return &Error{Code: CodeOverloaded, Message: "cannot store the session; retry"}
	}
	return nil
}

// end ends a session in all replicas.
func (e *Endpoint) end(ctx context.Context, p *Peer) {
	e.remove(p)
	if e.opts.Replicas != nil && !p.hasMoved() {
		_ = e.opts.Replicas.Remove(ctx, sessionKey(p.ID)) // otherwise it expires
	}
}

// visitors are the sessions of other replicas with requests here.
type visitors struct {
	mu  sync.Mutex
	all map[string]*visitor
}

type visitor struct {
	peer *Peer
	n    int // requests
}

// enter returns the peer of a session until leave is called.
func (v *visitors) enter(name string, make func() *Peer) (p *Peer, leave func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.all == nil {
		v.all = map[string]*visitor{}
	}
	one := v.all[name]
	if one == nil {
		one = &visitor{peer: make()}
		v.all[name] = one
	}
	one.n++
	return one.peer, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if one.n--; one.n == 0 {
			delete(v.all, name)
		}
	}
}

func (v *visitors) find(name, caller string) *Peer {
	v.mu.Lock()
	defer v.mu.Unlock()
	if one := v.all[name]; one != nil && one.peer.Caller == caller {
		return one.peer
	}
	return nil
}
