package front

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// The notifications about lists.
const (
	toolsChanged     = "notifications/tools/list_changed"
	promptsChanged   = "notifications/prompts/list_changed"
	resourcesChanged = "notifications/resources/list_changed"
	resourceUpdated  = "notifications/resources/updated"
)

// A hub tells clients of changes: sessions of the older era, and subscription streams of the newer one.
type hub struct {
	mu        sync.Mutex
	peers     map[*serve.Peer]bool
	listeners map[*listener]bool
}

// A listener is one subscription stream. What it has not been told yet waits, each change once.
type listener struct {
	wants func(method, key string) (params json.RawMessage, ok bool)
	wake  chan struct{}

	mu      sync.Mutex
	waiting []telling
}

type telling struct {
	method, key string
	params      json.RawMessage
}

// join makes the hub tell a session of changes of lists.
func (h *hub) join(p *serve.Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.peers == nil {
		h.peers = map[*serve.Peer]bool{}
	}
	h.peers[p] = true
}

func (h *hub) leave(p *serve.Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.peers, p)
}

// sole returns the only session, if there is no other.
func (h *hub) sole() *serve.Peer {
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

// listen adds a stream; the function that is returned takes it away.
func (h *hub) listen(wants func(method, key string) (json.RawMessage, bool)) (*listener, func()) {
	l := &listener{wants: wants, wake: make(chan struct{}, 1)}
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

// tell gives a change to all streams that want it. The key tells resources apart.
func (h *hub) tell(method, key string) {
	h.mu.Lock()
	streams := make([]*listener, 0, len(h.listeners))
	for l := range h.listeners {
		streams = append(streams, l)
	}
	h.mu.Unlock()
	for _, l := range streams {
		if params, ok := l.wants(method, key); ok {
			l.put(telling{method, key, params})
		}
	}
}

func (l *listener) put(t telling) {
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

func (l *listener) take() []telling {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.waiting
	l.waiting = nil
	return all
}

// ask passes a question of a server's that belongs to no request to the client, if there is only one.
func (h *hub) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	p := h.sole()
	if p == nil || !offers(p.Capabilities, method) {
		return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "no client is there to answer " + method}
	}
	return asRPC(p.Ask(ctx, method, params))
}
