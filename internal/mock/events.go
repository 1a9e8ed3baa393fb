package mock

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// send sends recorded messages that belong to no request to a client with a session. Clients of revisions without
// sessions get those that they listen to. It does not wait for the client: notifications that are due at once are sent
// before it returns, so that they keep their place, the others later.
func (s *Server) send(p *serve.Peer, events []*recording.Event) {
	for len(events) > 0 && !s.opts.Recorded && !events[0].Request {
		s.sendEvent(s.ctx, p, events[0])
		events = events[1:]
	}
	if len(events) == 0 {
		return
	}
	key := p
	if p.Revision == "" { // over HTTP each request is its own peer
		key = nil
	}
	s.mu.Lock()
	running := s.running[key]
	if running == nil {
		running = &sync.WaitGroup{}
		s.running[key] = running
	}
	s.mu.Unlock()
	running.Go(func() { s.sendLater(p, events) })
}

// sendLater sends messages when they are due, until the client disconnects.
func (s *Server) sendLater(p *serve.Peer, events []*recording.Event) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	go func() {
		select {
		case <-p.Done:
			cancel()
		case <-ctx.Done():
		}
	}()
	var elapsed time.Duration
	for _, e := range events {
		if !s.wait(ctx, recording.Elapsed(elapsed, e.After)) {
			return
		}
		elapsed = e.After
		s.sendEvent(ctx, p, e)
	}
}

func (s *Server) sendEvent(ctx context.Context, p *serve.Peer, e *recording.Event) {
	switch {
	case e.Request && p.Revision != "" && offers(p.Capabilities, e.Method):
		_, _ = p.Ask(ctx, e.Method, e.Params) // the recorded server has used the recorded response
	case e.Request:
	case p.Revision != "":
		p.Notify(e.Method, e.Params)
	case isChange(e.Method):
		s.broadcast(e.Method, e.Params)
	}
}

// isChange reports whether a notification belongs to a subscription from 2026-07-28 on.
func isChange(method string) bool {
	switch method {
	case "notifications/tools/list_changed", "notifications/prompts/list_changed",
		"notifications/resources/list_changed", "notifications/resources/updated":
		return true
	}
	return false
}

// A listener is a stream of subscriptions/listen.
type listener struct {
	call   *serve.Call
	filter subscription
	mu     sync.Mutex // one message at a time
}

// A subscription is the list of changes that a client listens to.
type subscription struct {
	Tools     bool     `json:"toolsListChanged,omitempty"`
	Prompts   bool     `json:"promptsListChanged,omitempty"`
	Resources bool     `json:"resourcesListChanged,omitempty"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
}

func (f subscription) has(method string, params json.RawMessage) bool {
	switch method {
	case "notifications/tools/list_changed":
		return f.Tools
	case "notifications/prompts/list_changed":
		return f.Prompts
	case "notifications/resources/list_changed":
		return f.Resources
	}
	var about struct {
		URI string `json:"uri"`
	}
	_ = json.Unmarshal(params, &about) // without a URI it matches nothing
	return slices.Contains(f.URIs, about.URI)
}

// listen serves a subscription stream until the client or the mock ends it.
func (s *Server) listen(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	l := &listener{call: c}
	if json.Unmarshal(c.Fields["notifications"], &l.filter) != nil {
		return nil, serve.InvalidParams("notifications: expected booleans, and a list of strings in " +
			"resourceSubscriptions")
	}
	meta := serve.Encode(map[string]json.RawMessage{serve.MetaSubscription: c.ID})
	c.Notify("notifications/subscriptions/acknowledged", serve.Encode(map[string]json.RawMessage{
		"notifications": serve.Encode(l.filter), "_meta": meta}))
	s.mu.Lock()
	s.listeners[l] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.listeners, l)
		s.mu.Unlock()
		l.mu.Lock() // waits for a message that is being sent
		defer l.mu.Unlock()
		l.call = nil
	}()
	select {
	case <-c.Drained:
	case <-s.ctx.Done():
	case <-ctx.Done():
	}
	return serve.Encode(map[string]json.RawMessage{"resultType": rawjson.Quote("complete"), "_meta": meta}), nil
}

// broadcast sends a change to the clients that listen to it.
func (s *Server) broadcast(method string, params json.RawMessage) {
	s.mu.Lock()
	var all []*listener
	for l := range s.listeners {
		if l.filter.has(method, params) {
			all = append(all, l)
			l.mu.Lock()
		}
	}
	s.mu.Unlock()
	for _, l := range all {
		members := serve.Members(params)
		if members == nil {
			members = map[string]json.RawMessage{}
		}
		members["_meta"] = serve.Encode(map[string]json.RawMessage{serve.MetaSubscription: l.call.ID})
		l.call.Notify(method, serve.Encode(members))
		l.mu.Unlock()
	}
}
