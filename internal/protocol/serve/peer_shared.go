package serve

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// newPeer returns the client of an HTTP session.
func (e *Endpoint) newPeer(caller string) *Peer {
	p := newPeer(caller)
	p.tell = p.mail.put
	p.moved = make(chan struct{})
	if e.opts.Replicas != nil {
		p.endpoint = e
	}
	return p
}

// nextAskLocked returns the ID of our next request to the client. With replicas it names this one, because the response
// may arrive at another, and it is never used again.
func (p *Peer) nextAskLocked() json.RawMessage {
	if p.endpoint != nil {
		return rawjson.Quote(p.endpoint.self() + "." + strconv.FormatInt(p.endpoint.asks.Add(1), 10))
	}
	p.lastAsk++
	return strconv.AppendInt(nil, p.lastAsk, 10)
}

// hasMoved reports whether another replica has the session now.
func (p *Peer) hasMoved() bool {
	select {
	case <-p.movedAway():
		return true
	default:
		return false
	}
}

// movedAway is closed when another replica has the session.
func (p *Peer) movedAway() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.moved
}

func (p *Peer) setMoved(moved bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := false
	select {
	case <-p.moved:
		was = true
	default:
	}
	switch {
	case moved && !was:
		close(p.moved)
	case !moved && was:
		p.moved = make(chan struct{})
	}
}

// subscribes reports whether the client has subscribed to a resource.
func (p *Peer) subscribes(uri string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.shared.Subscriptions, uri)
}

func (p *Peer) subscriptions() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.shared.Subscriptions)
}
