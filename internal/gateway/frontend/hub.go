package frontend

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// The list change notifications.
const (
	toolsChanged     = "notifications/tools/list_changed"
	promptsChanged   = "notifications/prompts/list_changed"
	resourcesChanged = "notifications/resources/list_changed"
	resourceUpdated  = "notifications/resources/updated"
)

// A hub notifies clients of changes: legacy sessions, and modern subscription streams.
type hub struct {
	mu        sync.Mutex
	peers     map[*serve.Peer]bool
	listeners map[*listener]bool
}

// A listener is one subscription stream. Pending notifications are queued, each change once.
type listener struct {
	caller string
	filter func(method, key string) (params json.RawMessage, ok bool)
	wake   chan struct{}

	mu      sync.Mutex
	waiting []notification
}

type notification struct {
	method, key string
	params      json.RawMessage
}

// join subscribes a session to list changes.
func (h *hub) join(p *serve.Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.peers == nil {
		h.peers = map[*serve.Peer]bool{}
	}
	h.peers[p] = true
}

func (h *hub) remove(p *serve.Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.peers, p)
}

// onlyPeer returns the only session, if there is no other.
func (h *hub) onlyPeer() *serve.Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.peers) != 1 {
		return nil
	}
	for p := range h.peers {
		return p
	}
	return nil
}

func (h *hub) all() []*serve.Peer {
	h.mu.Lock()
	defer h.mu.Unlock()
	peers := make([]*serve.Peer, 0, len(h.peers))
	for p := range h.peers {
		peers = append(peers, p)
	}
	return peers
}

// listen adds a stream; the returned function removes it.
func (h *hub) listen(caller string, wants func(method, key string) (json.RawMessage, bool)) (*listener, func()) {
	l := &listener{caller: caller, filter: wants, wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.listeners == nil {
		h.listeners = map[*listener]bool{}
	}
	h.listeners[l] = true
	return l, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.listeners, l)
	}
}

// broadcast sends a change to all streams that subscribed to it. The key identifies a resource.
func (h *hub) broadcast(method, key string) {
	h.send(method, key, func(*listener) bool { return true })
}

// broadcastTo sends a change to the streams of a caller that subscribed to it.
func (h *hub) broadcastTo(caller, method string) {
	h.send(method, "", func(l *listener) bool { return l.caller == caller })
}

func (h *hub) send(method, key string, to func(*listener) bool) {
	h.mu.Lock()
	streams := make([]*listener, 0, len(h.listeners))
	for l := range h.listeners {
		if to(l) {
			streams = append(streams, l)
		}
	}
	h.mu.Unlock()
	for _, l := range streams {
		if params, ok := l.filter(method, key); ok {
			l.put(notification{method, key, params})
		}
	}
}

func (l *listener) put(t notification) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, other := range l.waiting {
		if other.method == t.method && other.key == t.key {
			return
		}
	}
	l.waiting = append(l.waiting, t)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *listener) take() []notification {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.waiting
	l.waiting = nil
	return all
}

// request forwards a server request that belongs to no client request, if there is only one client.
func (h *hub) request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	p := h.onlyPeer()
	if p == nil || !forward.Supports(p.Capabilities, method) {
		return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "no client available to answer " + method}
	}
	return forward.AsRPC(p.Ask(ctx, method, params))
}
